// Spanish: what diagnosis says. The ids and their parameters are those of diagnosis/message_ids.h.
#include <array>

#include "report/messages.h"

namespace latido::report {
namespace {

constexpr std::array kFindings = std::to_array<CatalogueEntry>({
    {"verdict.healthy",
     "Nada destaca: {part:@part.} es el {part_ratio} del paso; próximo límite: {limit:@limit.}.[[ "
     "Mientras, otros programas ocuparon {foreign_cores} núcleos.]]"},
    {"verdict.healthy_no_steps",
     "No se vieron pasos de entrenamiento y nada destaca en {wall_ns}[[; esta ejecución ocupó "
     "{busy_cores} de {cores} núcleos]].[[ Mientras, otros programas ocuparon {foreign_cores} "
     "núcleos.]]"},
    {"verdict.no_steps_function",
     "No se vieron pasos de entrenamiento. {function} ella misma ocupa el {ratio} de {wall_ns}, "
     "según "
     "las muestras[[, {file}]][[:{line}]][[; esta ejecución ocupó {busy_cores} de {cores} "
     "núcleos]].[[ Mientras, otros programas ocuparon {foreign_cores} núcleos.]]"},
    {"verdict.no_steps",
     "No se vieron pasos de entrenamiento ni se midió la máquina: no hay nada que juzgar."},
    {"verdict.cannot_tell",
     "{steps} de los {needed} pasos estables que hacen falta para un veredicto."},
    {"verdict.uneven",
     "Los pasos son desiguales y nada de lo medido dice por qué: la mitad dura como mucho "
     "{p50_ns}, uno de cada veinte al menos {p95_ns}.[[ Mientras, otros programas ocuparon "
     "{foreign_cores} núcleos.]]"},
    {"verdict.warming_up",
     "{steps|El único paso fue|Los {steps} pasos fueron} de calentamiento; un veredicto necesita "
     "{needed} estables."},

    {"input_bound.inline",
     "El {wait_ratio} de cada paso espera al DataLoader.\tEl proceso de entrenamiento prepara sus "
     "propios lotes[[; {idle_cores} de {cores} núcleos están parados]]."},
    {"input_bound.workers_busy",
     "El {wait_ratio} de cada paso espera al DataLoader.\t{workers|Su|Sus} {workers} "
     "{workers|worker trabaja|workers trabajan} a plena velocidad[[; {idle_cores} de {cores} "
     "núcleos están parados]]."},
    {"input_bound.cores_full",
     "El {wait_ratio} de cada paso espera al DataLoader.\tPreparar lotes con {workers} "
     "{workers|worker|workers} ocupa {cores|el único núcleo|todos los núcleos} ({cores})."},
    {"input_bound.cores_taken",
     "El {wait_ratio} de cada paso espera al DataLoader.\tOtros programas ocupan {foreign_cores} "
     "de {cores} {cores|núcleo|núcleos}; {workers|su|sus} {workers} {workers|worker|workers} y el "
     "entrenamiento comparten el resto[[ ({run_cores} en uso)]]."},
    {"input_bound.workers_wait_io",
     "El {wait_ratio} de cada paso espera al DataLoader.\t{workers|Su|Sus} {workers} "
     "{workers|worker espera|workers esperan} a que lleguen datos: solo el {worker_cpu_ratio} de "
     "su tiempo es cálculo."},
    {"input_bound.workers_idle",
     "El {wait_ratio} de cada paso espera al DataLoader, aunque {workers|su|sus} {workers} "
     "{workers|worker solo está ocupado|workers solo están ocupados} el {worker_busy_ratio} del "
     "tiempo: los lotes llegan de forma irregular."},
    {"input_bound.transfer",
     "El {wait_ratio} de cada paso espera al DataLoader, aunque los lotes están listos: el tiempo "
     "se va en recibirlos de {workers|su|sus} {workers} {workers|worker|workers}."},
    {"input_bound.waits",
     "El {wait_ratio} de cada paso espera la entrada; no se vio cómo se preparan los lotes."},
    {"input_bound.action.set_workers",
     "num_workers={workers_before} → {workers_after}[[   {file}]][[:{line}]]   DataLoader(...)"},
    {"input_bound.action.cheaper_batches",
     "abaratar cada lote (ahora {make_ns}): decodificar una vez y guardar el resultado, imágenes "
     "más pequeñas, un decodificador más rápido[[ · {file}]][[:{line}]]"},
    {"input_bound.action.faster_reads",
     "leer menos, o de algo más rápido: disco local, memoria, pocos archivos grandes en vez de "
     "muchos pequeños; un lote tarda ahora {make_ns}[[ · {file}]][[:{line}]]"},
    {"input_bound.action.even_batches",
     "[[prefetch_factor={prefetch_before} → {prefetch_after}, o bien ]]hacer lotes de igual "
     "coste[[ · {file}]][[:{line}]]"},
    {"input_bound.action.less_to_hand_over",
     "entregar menos[[ de {batch_bytes} por lote]]: uint8 y convertir después, imágenes más "
     "pequeñas, un lote menor[[ · {file}]][[:{line}]]"},
    {"input_bound.action.look_inside",
     "poner latido.zone(...) en las partes del código de entrada para ver cuál se lleva el "
     "tiempo[[ · {file}]][[:{line}]]"},
    {"input_bound.evidence.inline",
     "lotes\tcada uno tarda {make_ns} en el proceso de entrenamiento: {wait_ns} por paso en los "
     "que nada calcula, junto a {compute_ns} de cálculo"},
    {"input_bound.evidence.inline_waits",
     "preparar\tcerca del {make_cpu_ratio} es cálculo, el resto es espera: varios workers pueden "
     "esperar a la vez"},
    {"input_bound.evidence.workers",
     "workers\t{workers} {workers|worker|workers}[[, cada uno ocupado al {busy_ratio}]], {make_ns} "
     "por lote[[; el {worker_cpu_ratio} es cálculo]]"},
    {"input_bound.evidence.queue",
     "cola\tvacía cuando el paso pidió un lote, {empty} de {batches} veces"},
    {"input_bound.evidence.steps",
     "pasos\t{affected} de {steps} esperan más del {threshold_ratio} de su tiempo"},
    {"input_bound.evidence.disk_not_cause",
     "disco\tno es la causa: [[el {cached_ratio} de las lecturas sale de la caché de páginas, "
     "]]disco ocupado al {disk_busy_ratio}"},
    {"input_bound.evidence.cores", "núcleos\t{busy_cores} de {cores} ocupados"},
    {"input_bound.limit.compute",
     "no más de {workers} {workers|worker|workers}: el cálculo por sí solo necesita {compute_ns}"},
    {"input_bound.limit.cores",
     "con {workers} {workers|worker, él|workers, ellos} y el entrenamiento querrían más núcleos de "
     "los que hay "
     "({cores})"},
    {"input_bound.limit.no_worker",
     "un worker no ayudaría: entregar los lotes y compartir los núcleos costaría tanto como los "
     "{make_ns} que tarda aquí cada uno"},
    {"input_bound.limit.cores_full",
     "más de {workers} {workers|worker|workers} no ayudaría: comparten {cores|el mismo núcleo|los "
     "mismos núcleos} ({cores})"},
    {"input_bound.limit.cores_taken",
     "más workers compartirían lo que dejan otros programas, que ocupan {foreign_cores} de {cores} "
     "{cores|núcleo|núcleos}"},
    {"input_bound.limit.disk",
     "más workers solo ayudan hasta que el disco sea el límite: ya está ocupado al "
     "{disk_busy_ratio}"},
    {"input_bound.limit.then_compute",
     "tras el cambio el límite es el cálculo: el {compute_ratio} de {step_ns}"},

    {"interval.up_to",
     "en el mejor caso {best_ns} por paso[[, hasta {factor}× más rápido]]: cuánto, depende del "
     "cambio"},

    {"interval.contention",
     "el intervalo [{low_ns}; {high_ns}] es así de ancho sobre todo porque los workers y el "
     "entrenamiento se "
     "frenan entre sí en los núcleos que comparten"},
    {"interval.batch_time",
     "el intervalo [{low_ns}; {high_ns}] es así de ancho sobre todo porque el tiempo de preparar "
     "un lote "
     "varía"},
    {"interval.noise",
     "el intervalo [{low_ns}; {high_ns}] es así de ancho sobre todo porque la duración de los "
     "pasos varía"},
    {"interval.transfer",
     "el intervalo [{low_ns}; {high_ns}] es así de ancho sobre todo porque entregar un lote al "
     "paso tarda "
     "unas veces más que otras"},
    {"interval.full_cores",
     "el intervalo [{low_ns}; {high_ns}] es así de ancho sobre todo porque los núcleos pueden ir "
     "más despacio cuando todos están ocupados"},
    {"interval.compute_cores",
     "el intervalo [{low_ns}; {high_ns}] es así de ancho sobre todo porque no se midió cuántos "
     "núcleos usa el "
     "entrenamiento por sí solo"},
    {"interval.fix",
     "el intervalo [{low_ns}; {high_ns}] es así de ancho sobre todo porque lo que se gane depende "
     "del cambio"},

    {"cpu_compute_bound.headline",
     "El cálculo es el {compute_ratio} de cada paso y ocupa {busy_cores} de {cores} "
     "{cores|núcleo|núcleos}. Nada espera: el límite es el procesador."},
    {"cpu_compute_bound.headline_limit",
     "El {compute_ratio} de cada paso es cálculo, que ocupa {busy_cores} de {cores} "
     "{cores|núcleo|núcleos}: el límite es el procesador."},
    {"cpu_compute_bound.action",
     "una GPU, o más núcleos (la predicción es para {cores_after} en vez de {cores}), o menos "
     "aritmética que {compute_ns} por paso: bfloat16, una entrada o un modelo más pequeños"},
    {"cpu_compute_bound.evidence.phases",
     "cálculo\t[[forward {forward_ns} ]][[backward {backward_ns} ]][[optimizador {optimizer_ns}]]"},
    {"cpu_compute_bound.evidence.cores",
     "núcleos\t{busy_cores} de {cores} ocupados[[, {main_cores} de ellos por el proceso de "
     "entrenamiento]]"},
    {"cpu_compute_bound.evidence.input_not_cause",
     "entrada\tno es la causa: el {wait_ratio} del paso espera datos"},
    {"cpu_compute_bound.limit.serial",
     "el {serial_ratio} del cálculo va en un solo núcleo y se queda"},

    {"one_core_bound.headline",
     "El cálculo es el {compute_ratio} de cada paso pero solo ocupa {main_cores} de {cores} "
     "núcleos; {idle_cores} están parados."},
    {"one_core_bound.headline_no_steps",
     "El programa calcula en un solo núcleo ({main_cores} de {cores}); {idle_cores} están "
     "parados."},
    {"one_core_bound.action",
     "dejar que el cálculo use los núcleos: OMP_NUM_THREADS={threads_after} o "
     "torch.set_num_threads({threads_after}), o lotes más grandes"},
    {"one_core_bound.action_no_steps",
     "repartir el trabajo entre {processes_after} procesos, o usar una biblioteca que calcule en "
     "varios núcleos"},
    {"one_core_bound.evidence.cores",
     "núcleos\tel programa ocupa {main_cores}; la máquina, {busy_cores} de {cores}"},
    {"one_core_bound.evidence.compute", "cálculo\t{compute_ns} de los {step_ns} de un paso"},
    {"one_core_bound.evidence.zone",
     "dónde\tla zona «{zone}» gastó {self_ns} en sí misma[[, {file}]][[:{line}]]"},
    {"one_core_bound.evidence.disk_not_cause",
     "disco\tno es la causa: ocupado al {disk_busy_ratio}"},
    {"one_core_bound.limit.small_operations",
     "las operaciones demasiado pequeñas para repartirse no ganan nada con más hilos; en ese caso "
     "ayudan lotes más grandes"},

    {"memory_growing.headline",
     "La memoria crece {growth_bytes_per_step}, {grown_bytes} hasta ahora: se guarda algo que "
     "debería soltarse."},
    {"memory_growing.headline_limit",
     "La memoria crece {growth_bytes_per_step}: el límite de {limit_bytes} se alcanza en unos "
     "{steps_left} pasos ({left_ns})."},
    {"memory_growing.headline_no_steps",
     "La memoria crece {growth_bytes_per_s}: el límite de {limit_bytes} se alcanza en unos "
     "{left_ns}."},
    {"memory_growing.action",
     "buscar lo que se guarda: pérdidas sumadas con su grafo (usar loss.item()), listas que solo "
     "crecen, cachés sin límite"},
    {"memory_growing.evidence.growth",
     "aumento\t{growth_bytes_per_step} [{low_bytes_per_step}; {high_bytes_per_step}] a lo largo de "
     "{steps} pasos"},
    {"memory_growing.evidence.growth_rate",
     "aumento\t{growth_bytes_per_s} durante los últimos {window_ns}"},
    {"memory_growing.evidence.use", "memoria\t[[{rss_bytes} en uso]][[, límite {limit_bytes}]]"},

    {"disk_bound.headline",
     "El {wait_ratio} de cada paso espera al disco, que está ocupado al {disk_busy_ratio}."},
    {"disk_bound.headline_no_steps",
     "El programa espera al disco, que está ocupado al {disk_busy_ratio}[[; el {io_ratio} del "
     "tiempo todo estuvo parado por él]]."},
    {"disk_bound.action",
     "leer menos, o de algo más rápido: memoria, un disco local, pocos archivos grandes en vez de "
     "muchos pequeños[[ · {file}]][[:{line}]]"},
    {"disk_bound.action_write",
     "escribir menos, con menos frecuencia, comprimido, o en un disco más rápido"},
    {"disk_bound.evidence.disk",
     "disco\tocupado al {disk_busy_ratio}[[, lee {read_bytes_per_s}]][[, escribe "
     "{write_bytes_per_s}]][[; núcleos que lo esperan: {iowait_cores}]]"},
    {"disk_bound.evidence.cached",
     "caché\tsolo el {cached_ratio} de las lecturas del programa salió de la memoria, "
     "{run_read_bytes_per_s} del disco"},
    {"disk_bound.evidence.workers",
     "workers\t{workers}, solo el {worker_cpu_ratio} de su tiempo es cálculo, el resto espera"},
    {"disk_bound.evidence.stalled",
     "parado\tel {io_ratio} del tiempo nada pudo avanzar a causa del disco"},
    {"disk_bound.limit.compute",
     "con todos los datos en memoria un paso seguiría tardando {step_ns}"},

    {"swap_bound.headline",
     "La máquina intercambia {swap_bytes_per_s} con el disco (swap): falta memoria[[, y el "
     "{stalled_ratio} del tiempo todo la espera]]."},
    {"swap_bound.action",
     "usar menos memoria (lotes más pequeños, menos workers, menos prefetch) o una máquina con "
     "más[[; en uso {rss_bytes}]][[ de {limit_bytes}]]"},
    {"swap_bound.evidence.swap",
     "swap\tentran {swap_in_bytes_per_s}, salen {swap_out_bytes_per_s}[[; fallos de página que "
     "esperan al disco: {major_faults_per_s}]]"},
    {"swap_bound.evidence.memory",
     "memoria\t[[la ejecución usa {rss_bytes}]][[ de {limit_bytes}]][[, libres "
     "{available_bytes}]]"},

    {"evaluation_heavy.headline",
     "La evaluación se lleva el {evaluation_ratio} de la ejecución, {evaluations} "
     "{evaluations|vez|veces}."},
    {"evaluation_heavy.action",
     "evaluar la mitad de veces (ahora {evaluations} {evaluations|vez|veces}), con una parte de "
     "los datos, o con lotes más grandes"},
    {"evaluation_heavy.evidence.time",
     "tiempo\t{evaluations} {evaluations|evaluación|evaluaciones}[[ de {each_ns}]] = "
     "{evaluation_ns}; pasos de entrenamiento {steps_ns}"},
    {"evaluation_heavy.evidence.in_steps",
     "en pasos\t{mean_ns} de cada paso en promedio, el {step_ratio}"},

    {"checkpoint_heavy.headline",
     "Guardar checkpoints se lleva el {checkpoint_ratio} de la ejecución, {checkpoints} "
     "{checkpoints|vez|veces}."},
    {"checkpoint_heavy.action",
     "guardar la mitad de veces (ahora {checkpoints} {checkpoints|vez|veces}), o guardar una copia "
     "desde otro hilo o proceso"},
    {"checkpoint_heavy.evidence.time",
     "tiempo\t{checkpoints} {checkpoints|checkpoint|checkpoints}[[ de {each_ns}]] = "
     "{checkpoint_ns}; pasos de entrenamiento {steps_ns}"},
    {"checkpoint_heavy.evidence.in_steps",
     "en pasos\t{mean_ns} de cada paso en promedio, el {step_ratio}"},
    {"checkpoint_heavy.evidence.disk",
     "disco\tocupado al {disk_busy_ratio}[[, {write_bytes_per_s} escritos]]"},

    {"cpu_throttled.headline",
     "El límite de CPU, {cores} {cores|núcleo|núcleos}, detiene el programa en el "
     "{throttled_ratio} de sus periodos de 0,1 s."},
    {"cpu_throttled.action",
     "subir el límite de CPU, o no usar más hilos y workers de los que permite: {cores} "
     "{cores|núcleo|núcleos}[[ (ahora usa {run_cores})]]"},
    {"cpu_throttled.evidence.throttled", "límite\tagotado en el {throttled_ratio} de los periodos"},
    {"cpu_throttled.evidence.cores",
     "núcleos\tla ejecución usó {run_cores} de los {cores} que puede usar"},

    {"cpu_contended.evidence.others",
     "otros\totros programas ocuparon {foreign_cores} de {cores} {cores|núcleo|núcleos}"},
    {"cpu_contended.headline",
     "Otros programas ocupan {foreign_cores} de los {cores} núcleos mientras esta ejecución los "
     "necesita."},
    {"cpu_contended.headline_steal",
     "El anfitrión se lleva el {steal_ratio} del tiempo de procesador (steal): la máquina virtual "
     "comparte sus núcleos."},
    {"cpu_contended.headline_self",
     "Los hilos de la propia ejecución se disputan {cores} {cores|núcleo|núcleos} (en uso "
     "{run_cores}): quieren correr más hilos que núcleos hay[[, {switches_per_s} cambios "
     "forzados]]."},
    {"cpu_contended.action",
     "ejecutar cuando la máquina esté libre, o reservar núcleos (taskset, un cgroup, un trabajo "
     "con núcleos propios)"},
    {"cpu_contended.action_steal", "pasar a una máquina cuyos núcleos no se compartan"},
    {"cpu_contended.action_self",
     "usar menos hilos o workers, en total no más de {cores} {cores|núcleo|núcleos} "
     "(OMP_NUM_THREADS, num_workers)"},
    {"cpu_contended.evidence.cores",
     "núcleos\t{busy_cores} de {cores} ocupados, solo {run_cores} por esta ejecución"},
    {"cpu_contended.evidence.steal",
     "steal\tel {steal_ratio} del tiempo de procesador de la máquina"},
    {"cpu_contended.evidence.cost", "coste\tunos {lost_ns} de los {step_ns} de un paso"},
    {"cpu_contended.evidence.core_wait",
     "coste\tdurante {lost_ns} de los {step_ns} de un paso la ejecución estaba lista para seguir y "
     "otros tenían los núcleos"},
    {"cpu_contended.evidence.waiting",
     "espera\t[[el {waiting_ratio} del tiempo algún hilo esperó un núcleo]][[; cambios forzados: "
     "{switches_per_s}]]"},

    {"other_heavy.headline",
     "El {other_ratio} de cada paso ({other_ns}) no es entrada ni cálculo, y ninguna zona dice qué "
     "es."},
    {"other_heavy.headline_function",
     "El {other_ratio} de cada paso ({other_ns}) no es entrada ni cálculo; las muestras encuentran "
     "sobre todo {function}, el {ratio} del tiempo."},
    {"other_heavy.action_function",
     "acelerar {function}, o llevarla a los workers del DataLoader[[ · {file}]][[:{line}]]"},
    {"hot_function.evidence",
     "funciones\t{function} ella misma ocupa el {ratio} del tiempo, según las muestras[[, "
     "{file}]][[:{line}]]"},
    {"other_heavy.headline_zone",
     "El {other_ratio} de cada paso no es entrada ni cálculo; la zona «{zone}» sola es el "
     "{zone_ratio}[[, {file}]][[:{line}]]."},
    {"other_heavy.action",
     "poner latido.zone(...) en el código entre las fases: registro, métricas, manejo de datos"},
    {"other_heavy.action_zone",
     "acelerar la zona «{zone}», o llevarla a los workers del DataLoader[[ · {file}]][[:{line}]]"},
    {"other_heavy.action_zone_alone", "acelerar la zona «{zone}»[[ · {file}]][[:{line}]]"},
    {"other_heavy.verdict_zone", "OTRO CÓDIGO"},
    {"other_heavy.evidence.parts",
     "resto\t{unnamed_ns} sin nombre, {zones_ns} en zonas, de los {step_ns} de un paso"},
    {"other_heavy.evidence.zone",
     "zona\t«{zone}»: {mean_ns} por paso, {calls} {calls|llamada|llamadas}[[, "
     "{file}]][[:{line}]]"},

    {"compare.not_comparable.batch_size", "tamaños de lote distintos: {before}, {after}"},
    {"compare.not_comparable.cores", "distinto número de núcleos: {before}, {after}"},
    {"compare.not_comparable.host", "máquinas distintas: {before}, {after}"},
    {"compare.not_comparable.cpu", "procesadores distintos: {before}, {after}"},
    {"compare.not_comparable.ranks", "distinto número de ranks: {before}, {after}"},
    {"compare.not_comparable.batches_per_step",
     "distinto número de lotes por paso (acumulación de gradientes): {before}, {after}"},
    {"compare.not_comparable.step_source",
     "los pasos se detectaron de forma distinta: {before}, {after}"},
    {"compare.not_comparable.no_steps",
     "muy pocos pasos estables para comparar: {before}, {after}"},
    {"compare.differs.workers", "num_workers {before} → {after}"},
    {"compare.differs.prefetch", "prefetch_factor {before} → {after}"},
    {"compare.differs.command", "la línea de comandos"},
    {"compare.differs.commit", "el código: {before} → {after}"},
    {"compare.differs.torch", "torch {before} → {after}"},
    {"compare.differs.python", "Python {before} → {after}"},
    {"compare.caution.contended_before",
     "antes: otros ocuparon sus núcleos, sus tiempos son demasiado largos"},
    {"compare.caution.contended_after",
     "después: otros ocuparon sus núcleos, sus tiempos son demasiado largos"},
    {"compare.caution.contended_both",
     "ambas: otros ocuparon sus núcleos, sus tiempos son demasiado largos"},
    {"compare.caution.nothing_changed",
     "no cambió nada de lo registrado (las ediciones sin commit no se ven); tales ejecuciones "
     "difieren hasta un {spread_ratio} por sí solas"},
    {"compare.prediction.not_tried",
     "no se probó: las grabaciones no muestran que se hiciera el cambio aconsejado"},
    {"compare.prediction.other_cores",
     "la predicción era para {cores_predicted} núcleos, la ejecución tiene {cores}"},
    {"compare.prediction.vague",
     "su intervalo, de {low_ns} a {high_ns}, es demasiado ancho para fallar: no dice nada"},
    {"compare.prediction.other_change",
     "la predicción era para {workers_predicted} {workers_predicted|worker|workers}, la ejecución "
     "tiene {workers_after}"},
});

}  // namespace

std::span<const CatalogueEntry> findings_es() noexcept { return kFindings; }

}  // namespace latido::report
