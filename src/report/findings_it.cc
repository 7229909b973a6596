// Italian: what diagnosis says. The ids and their parameters are those of diagnosis/message_ids.h.
//
// No article stands before a percentage: it would depend on the number ("il 57 %", but "l'80 %").
#include <array>

#include "report/messages.h"

namespace latido::report {
namespace {

constexpr std::array kFindings = std::to_array<CatalogueEntry>({
    {"verdict.healthy",
     "Nulla salta all'occhio ({part:@part.}: {part_ratio} del passo); prossimo limite: "
     "{limit:@limit.}.[[ Intanto altri programmi hanno occupato {foreign_cores} core.]]"},
    {"verdict.healthy_no_steps",
     "Non si sono visti passi di addestramento e nulla salta all'occhio in {wall_ns}[[; questa "
     "esecuzione ha occupato {busy_cores} di {cores} core]].[[ Intanto altri programmi hanno "
     "occupato "
     "{foreign_cores} core.]]"},
    {"verdict.no_steps_function",
     "Non si sono visti passi di addestramento. {function} da sola prende {ratio} di {wall_ns}, "
     "secondo i campioni[[, {file}]][[:{line}]][[; questa esecuzione ha occupato {busy_cores} di "
     "{cores} core]].[[ Intanto altri programmi hanno occupato {foreign_cores} core.]]"},
    {"verdict.no_steps",
     "Non si sono visti passi di addestramento e la macchina non è stata misurata: non c'è nulla "
     "da giudicare."},
    {"verdict.cannot_tell", "{steps} dei {needed} passi stabili necessari per un verdetto."},
    {"verdict.uneven",
     "I passi sono disuguali e nulla di ciò che si è misurato dice perché: metà dura al più "
     "{p50_ns}, uno su venti almeno {p95_ns}.[[ Intanto altri programmi hanno occupato "
     "{foreign_cores} core.]]"},
    {"verdict.warming_up",
     "{steps|L'unico passo era|Tutti i {steps} passi erano} di riscaldamento; per un verdetto ne "
     "servono {needed} stabili."},

    {"input_bound.inline",
     "In ogni passo, {wait_ratio} del tempo è attesa del DataLoader.\tIl processo di addestramento "
     "prepara i batch da solo[[; {idle_cores} core su {cores} sono fermi]]."},
    {"input_bound.workers_busy",
     "In ogni passo, {wait_ratio} del tempo è attesa del DataLoader.\t{workers|Il suo unico worker "
     "lavora|I suoi {workers} worker lavorano} a pieno ritmo[[; {idle_cores} core su {cores} sono "
     "fermi]]."},
    {"input_bound.cores_full",
     "In ogni passo, {wait_ratio} del tempo è attesa del DataLoader.\tPreparare i batch con "
     "{workers} worker occupa {cores|l'unico core|tutti i core} ({cores})."},
    {"input_bound.cores_taken",
     "In ogni passo, {wait_ratio} del tempo è attesa del DataLoader.\tAltri programmi prendono "
     "{foreign_cores} dei {cores} core; {workers|il suo worker|i suoi worker} ({workers}) e "
     "l'addestramento si dividono il resto[[ (in uso {run_cores})]]."},
    {"input_bound.workers_wait_io",
     "In ogni passo, {wait_ratio} del tempo è attesa del DataLoader.\t{workers|Il suo unico worker "
     "aspetta|I suoi {workers} worker aspettano} che arrivino i dati: solo {worker_cpu_ratio} del "
     "tempo è calcolo."},
    {"input_bound.workers_idle",
     "In ogni passo, {wait_ratio} del tempo è attesa del DataLoader, benché {workers|il suo unico "
     "worker sia occupato|i suoi {workers} worker siano occupati} solo per {worker_busy_ratio} del "
     "tempo: i batch arrivano in modo irregolare."},
    {"input_bound.transfer",
     "In ogni passo, {wait_ratio} del tempo è attesa del DataLoader, benché i batch siano pronti: "
     "il tempo se ne va nel riceverli da {workers} worker."},
    {"input_bound.waits",
     "In ogni passo, {wait_ratio} del tempo è attesa dell'input; non si è visto come vengono "
     "preparati i batch."},
    {"input_bound.action.set_workers",
     "num_workers={workers_before} → {workers_after}[[   {file}]][[:{line}]]   DataLoader(...)"},
    {"input_bound.action.cheaper_batches",
     "rendere meno costoso ogni batch (ora {make_ns}): decodificare una volta e conservare il "
     "risultato, immagini più piccole, un decoder più veloce[[ · "
     "{file}]][[:{line}]]"},
    {"input_bound.action.faster_reads",
     "leggere di meno, o da qualcosa di più veloce: disco locale, memoria, pochi file grandi "
     "invece di molti piccoli; ora un batch richiede {make_ns}[[ · {file}]][[:{line}]]"},
    {"input_bound.action.even_batches",
     "[[prefetch_factor={prefetch_before} → {prefetch_after}, oppure ]]fare batch di pari "
     "costo[[ · {file}]][[:{line}]]"},
    {"input_bound.action.less_to_hand_over",
     "consegnare meno[[ di {batch_bytes} per batch]]: uint8 e convertire dopo, immagini più "
     "piccole, un batch minore[[ · {file}]][[:{line}]]"},
    {"input_bound.action.look_inside",
     "mettere latido.zone(...) attorno alle parti del codice di input, per vedere quale prende il "
     "tempo[[ · {file}]][[:{line}]]"},
    {"input_bound.evidence.inline",
     "batch\tognuno richiede {make_ns} nel processo di addestramento: {wait_ns} per passo in cui "
     "nulla calcola, accanto a {compute_ns} di calcolo"},
    {"input_bound.evidence.inline_waits",
     "preparare\tcirca {make_cpu_ratio} è calcolo, il resto è attesa: più worker possono aspettare "
     "insieme"},
    {"input_bound.evidence.workers",
     "worker\t{workers} worker[[, occupazione {busy_ratio}]], {make_ns} per batch[[; "
     "{worker_cpu_ratio} è calcolo]]"},
    {"input_bound.evidence.queue",
     "coda\tvuota quando il passo ha chiesto un batch, {empty} volte su {batches}"},
    {"input_bound.evidence.steps",
     "passi\t{affected} su {steps} aspettano per più di {threshold_ratio} del loro tempo"},
    {"input_bound.evidence.disk_not_cause",
     "disco\tnon è la causa: [[letture dalla page cache {cached_ratio}, ]]occupazione del disco "
     "{disk_busy_ratio}"},
    {"input_bound.evidence.cores", "core\t{busy_cores} occupati su {cores}"},
    {"input_bound.limit.compute",
     "non più di {workers} worker: il solo calcolo richiede {compute_ns}"},
    {"input_bound.limit.cores",
     "con {workers} worker, insieme all'addestramento, servirebbero più core di quanti ce ne sono "
     "({cores})"},
    {"input_bound.limit.no_worker",
     "un worker non servirebbe: consegnare i batch e dividere i core costerebbe quanto i {make_ns} "
     "che uno richiede qui"},
    {"input_bound.limit.cores_full",
     "più di {workers} worker non servirebbero: si dividono {cores|lo stesso core|gli stessi core} "
     "({cores})"},
    {"input_bound.limit.cores_taken",
     "altri worker si dividerebbero ciò che lasciano gli altri programmi, che prendono "
     "{foreign_cores} dei {cores} core"},
    {"input_bound.limit.disk",
     "altri worker aiutano solo finché il disco non diventa il limite: occupazione attuale "
     "{disk_busy_ratio}"},
    {"input_bound.limit.then_compute",
     "dopo la modifica il limite è il calcolo: {compute_ratio} di {step_ns}"},

    {"interval.up_to",
     "nel caso migliore {best_ns} per passo[[, fino a {factor}× più veloce]]: quanto, dipende "
     "dalla modifica"},

    {"interval.contention",
     "l'intervallo [{low_ns}; {high_ns}] è così ampio soprattutto perché worker e addestramento si "
     "rallentano "
     "a "
     "vicenda sui core condivisi"},
    {"interval.batch_time",
     "l'intervallo [{low_ns}; {high_ns}] è così ampio soprattutto perché il tempo per preparare un "
     "batch "
     "varia"},
    {"interval.noise",
     "l'intervallo [{low_ns}; {high_ns}] è così ampio soprattutto perché la durata dei passi "
     "varia"},
    {"interval.transfer",
     "l'intervallo [{low_ns}; {high_ns}] è così ampio soprattutto perché consegnare un batch al "
     "passo richiede "
     "un tempo variabile"},
    {"interval.full_cores",
     "l'intervallo [{low_ns}; {high_ns}] è così ampio soprattutto perché i core possono essere più "
     "lenti quando sono tutti occupati"},
    {"interval.compute_cores",
     "l'intervallo [{low_ns}; {high_ns}] è così ampio soprattutto perché non si è misurato quanti "
     "core usi da "
     "solo l'addestramento"},
    {"interval.fix",
     "l'intervallo [{low_ns}; {high_ns}] è così ampio soprattutto perché quanto si guadagna "
     "dipende dalla "
     "modifica"},

    {"cpu_compute_bound.headline",
     "In ogni passo, {compute_ratio} del tempo è calcolo, che tiene occupati {busy_cores} core su "
     "{cores}. Nulla aspetta: il limite è il processore."},
    {"cpu_compute_bound.headline_limit",
     "In ogni passo, {compute_ratio} del tempo è calcolo, che tiene occupati {busy_cores} core su "
     "{cores}: il limite è il processore."},
    {"cpu_compute_bound.action",
     "una GPU, o più core (la previsione è per {cores_after} invece di {cores}), o meno aritmetica "
     "di {compute_ns} per passo: bfloat16, un input o un modello più piccoli"},
    {"cpu_compute_bound.evidence.phases",
     "calcolo\t[[forward {forward_ns} ]][[backward {backward_ns} ]][[ottimizzatore "
     "{optimizer_ns}]]"},
    {"cpu_compute_bound.evidence.cores",
     "core\t{busy_cores} occupati su {cores}[[, {main_cores} dal processo di addestramento]]"},
    {"cpu_compute_bound.evidence.input_not_cause",
     "input\tnon è la causa: attesa dei dati {wait_ratio} del passo"},
    {"cpu_compute_bound.limit.serial", "{serial_ratio} del calcolo gira su un solo core e rimane"},

    {"one_core_bound.headline",
     "In ogni passo, {compute_ratio} del tempo è calcolo, che però tiene occupati solo "
     "{main_cores} core su {cores}; {idle_cores} sono fermi."},
    {"one_core_bound.headline_no_steps",
     "Il programma calcola su un solo core ({main_cores} su {cores}); {idle_cores} sono fermi."},
    {"one_core_bound.action",
     "lasciare che il calcolo usi i core: OMP_NUM_THREADS={threads_after} o "
     "torch.set_num_threads({threads_after}), o batch più grandi"},
    {"one_core_bound.action_no_steps",
     "dividere il lavoro fra {processes_after} processi, o usare una libreria che calcola su più "
     "core"},
    {"one_core_bound.evidence.cores",
     "core\til programma ne occupa {main_cores}, la macchina {busy_cores} su {cores}"},
    {"one_core_bound.evidence.compute", "calcolo\t{compute_ns} dei {step_ns} di un passo"},
    {"one_core_bound.evidence.zone",
     "dove\tla zona «{zone}» ha preso {self_ns} per sé[[, {file}]][[:{line}]]"},
    {"one_core_bound.evidence.disk_not_cause",
     "disco\tnon è la causa: occupazione {disk_busy_ratio}"},
    {"one_core_bound.limit.small_operations",
     "le operazioni troppo piccole per essere divise non guadagnano nulla dai thread; in quel caso "
     "aiutano batch più grandi"},

    {"memory_growing.headline",
     "La memoria cresce di {growth_bytes_per_step}, {grown_bytes} finora: si conserva qualcosa che "
     "andrebbe liberato."},
    {"memory_growing.headline_limit",
     "La memoria cresce di {growth_bytes_per_step}: il limite di {limit_bytes} viene raggiunto fra "
     "circa {steps_left} passi ({left_ns})."},
    {"memory_growing.headline_no_steps",
     "La memoria cresce di {growth_bytes_per_s}: il limite di {limit_bytes} viene raggiunto fra "
     "circa {left_ns}."},
    {"memory_growing.action",
     "cercare ciò che viene conservato: loss sommate con il loro grafo (usare loss.item()), liste "
     "che crescono soltanto, cache senza limite"},
    {"memory_growing.evidence.growth",
     "crescita\t{growth_bytes_per_step} [{low_bytes_per_step}; {high_bytes_per_step}] su {steps} "
     "passi"},
    {"memory_growing.evidence.growth_rate",
     "crescita\t{growth_bytes_per_s} negli ultimi {window_ns}"},
    {"memory_growing.evidence.use", "memoria\t[[{rss_bytes} in uso]][[, limite {limit_bytes}]]"},

    {"disk_bound.headline",
     "In ogni passo, {wait_ratio} del tempo è attesa del disco, la cui occupazione è "
     "{disk_busy_ratio}."},
    {"disk_bound.headline_no_steps",
     "Il programma aspetta il disco, la cui occupazione è {disk_busy_ratio}[[; per {io_ratio} del "
     "tempo è rimasto tutto fermo]]."},
    {"disk_bound.action",
     "leggere di meno, o da qualcosa di più veloce: memoria, un disco locale, pochi file grandi "
     "invece di molti piccoli[[ · {file}]][[:{line}]]"},
    {"disk_bound.action_write",
     "scrivere di meno, meno spesso, in forma compressa, o su un disco più veloce"},
    {"disk_bound.evidence.disk",
     "disco\toccupazione {disk_busy_ratio}[[, lettura {read_bytes_per_s}]][[, scrittura "
     "{write_bytes_per_s}]][[; core che lo aspettano: {iowait_cores}]]"},
    {"disk_bound.evidence.cached",
     "cache\tsolo {cached_ratio} delle letture del programma viene dalla memoria, "
     "{run_read_bytes_per_s} dal disco"},
    {"disk_bound.evidence.workers",
     "worker\t{workers}, solo {worker_cpu_ratio} del loro tempo è calcolo, il resto è attesa"},
    {"disk_bound.evidence.stalled",
     "fermo\tper {io_ratio} del tempo nulla ha potuto avanzare a causa del disco"},
    {"disk_bound.limit.compute",
     "con tutti i dati in memoria un passo durerebbe comunque {step_ns}"},

    {"swap_bound.headline",
     "La macchina scambia {swap_bytes_per_s} con il disco (swap): la memoria è troppo poca[[, e "
     "per {stalled_ratio} del tempo tutto la aspetta]]."},
    {"swap_bound.action",
     "usare meno memoria (batch più piccoli, meno worker, meno prefetch) o una macchina che ne ha "
     "di più[[; in uso {rss_bytes}]][[ su {limit_bytes}]]"},
    {"swap_bound.evidence.swap",
     "swap\tin entrata {swap_in_bytes_per_s}, in uscita {swap_out_bytes_per_s}[[; page fault che "
     "aspettano il disco: {major_faults_per_s}]]"},
    {"swap_bound.evidence.memory",
     "memoria\t[[l'esecuzione usa {rss_bytes}]][[ su {limit_bytes}]][[, liberi "
     "{available_bytes}]]"},

    {"evaluation_heavy.headline",
     "La valutazione prende {evaluation_ratio} dell'esecuzione, {evaluations} "
     "{evaluations|volta|volte}."},
    {"evaluation_heavy.action",
     "valutare la metà delle volte (ora {evaluations} {evaluations|volta|volte}), su una parte dei "
     "dati, o con batch più grandi"},
    {"evaluation_heavy.evidence.time",
     "tempo\t{evaluations} {evaluations|valutazione|valutazioni}[[ da {each_ns}]] = "
     "{evaluation_ns}; passi di addestramento {steps_ns}"},
    {"evaluation_heavy.evidence.in_steps",
     "nei passi\tin media {mean_ns} di ogni passo, {step_ratio}"},

    {"checkpoint_heavy.headline",
     "Il salvataggio dei checkpoint prende {checkpoint_ratio} dell'esecuzione, {checkpoints} "
     "{checkpoints|volta|volte}."},
    {"checkpoint_heavy.action",
     "salvare la metà delle volte (ora {checkpoints} {checkpoints|volta|volte}), o salvare una "
     "copia da un altro thread o processo"},
    {"checkpoint_heavy.evidence.time",
     "tempo\t{checkpoints} checkpoint[[ da {each_ns}]] = {checkpoint_ns}; passi di addestramento "
     "{steps_ns}"},
    {"checkpoint_heavy.evidence.in_steps",
     "nei passi\tin media {mean_ns} di ogni passo, {step_ratio}"},
    {"checkpoint_heavy.evidence.disk",
     "disco\toccupazione {disk_busy_ratio}[[, scrittura {write_bytes_per_s}]]"},

    {"cpu_throttled.headline",
     "Il limite di CPU, {cores} core, ferma il programma in {throttled_ratio} dei suoi periodi di "
     "0,1 s."},
    {"cpu_throttled.action",
     "alzare il limite di CPU, o non usare più thread e worker di quanti ne consente: {cores} "
     "core[[ (ora in uso {run_cores})]]"},
    {"cpu_throttled.evidence.throttled", "limite\tesaurito in {throttled_ratio} dei periodi"},
    {"cpu_throttled.evidence.cores",
     "core\tl'esecuzione ne ha usati {run_cores} dei {cores} a disposizione"},

    {"cpu_contended.evidence.others",
     "altri\taltri programmi hanno occupato {foreign_cores} dei {cores} core"},
    {"cpu_contended.headline",
     "Altri programmi prendono {foreign_cores} dei {cores} core mentre servono a questa "
     "esecuzione."},
    {"cpu_contended.headline_steal",
     "L'host sottrae {steal_ratio} del tempo di processore (steal): la macchina virtuale condivide "
     "i suoi core."},
    {"cpu_contended.headline_self",
     "I thread dell'esecuzione stessa si contendono {cores} core (in uso {run_cores}): sono più "
     "dei core disponibili[[, {switches_per_s} cambi forzati]]."},
    {"cpu_contended.action",
     "eseguire quando la macchina è libera, o riservare i core (taskset, un cgroup, un job con "
     "core propri)"},
    {"cpu_contended.action_steal", "passare a una macchina i cui core non siano condivisi"},
    {"cpu_contended.action_self",
     "usare meno thread o worker, in tutto non più di {cores} core (OMP_NUM_THREADS, num_workers)"},
    {"cpu_contended.evidence.cores",
     "core\t{busy_cores} occupati su {cores}, solo {run_cores} da questa esecuzione"},
    {"cpu_contended.evidence.steal", "steal\t{steal_ratio} del tempo di processore della macchina"},
    {"cpu_contended.evidence.cost", "costo\tcirca {lost_ns} dei {step_ns} di un passo"},
    {"cpu_contended.evidence.core_wait",
     "costo\tper {lost_ns} dei {step_ns} di un passo l'esecuzione era pronta a continuare e altri "
     "avevano i core"},
    {"cpu_contended.evidence.waiting",
     "attesa\t[[per {waiting_ratio} del tempo qualche thread aspettava un core]][[; cambi forzati: "
     "{switches_per_s}]]"},

    {"other_heavy.headline",
     "In ogni passo, {other_ratio} del tempo ({other_ns}) non è né input né calcolo, e nessuna "
     "zona dice che cosa sia."},
    {"other_heavy.headline_function",
     "In ogni passo, {other_ratio} del tempo ({other_ns}) non è né input né calcolo; i campioni "
     "trovano soprattutto {function}, {ratio} del tempo."},
    {"other_heavy.action_function",
     "rendere più veloce {function}, o spostarla nei worker del DataLoader[[ · "
     "{file}]][[:{line}]]"},
    {"hot_function.evidence",
     "funzioni\t{function} da sola prende {ratio} del tempo, secondo i campioni[[, "
     "{file}]][[:{line}]]"},
    {"other_heavy.headline_zone",
     "In ogni passo, {other_ratio} del tempo non è né input né calcolo; la sola zona «{zone}» ne "
     "prende {zone_ratio}[[, {file}]][[:{line}]]."},
    {"other_heavy.action",
     "mettere latido.zone(...) attorno al codice fra le fasi: log, metriche, gestione dei dati"},
    {"other_heavy.action_zone",
     "rendere più veloce la zona «{zone}», o spostarla nei worker del DataLoader[[ · "
     "{file}]][[:{line}]]"},
    {"other_heavy.action_zone_alone",
     "rendere più veloce la zona «{zone}»[[ · {file}]][[:{line}]]"},
    {"other_heavy.verdict_zone", "ALTRO CODICE"},
    {"other_heavy.evidence.parts",
     "altro\t{unnamed_ns} senza nome, {zones_ns} in zone, dei {step_ns} di un passo"},
    {"other_heavy.evidence.zone",
     "zona\t«{zone}»: {mean_ns} per passo, {calls} {calls|chiamata|chiamate}[[, "
     "{file}]][[:{line}]]"},

    {"compare.not_comparable.batch_size", "dimensioni di batch diverse: {before}, {after}"},
    {"compare.not_comparable.cores", "numero di core diverso: {before}, {after}"},
    {"compare.not_comparable.host", "macchine diverse: {before}, {after}"},
    {"compare.not_comparable.cpu", "processori diversi: {before}, {after}"},
    {"compare.not_comparable.ranks", "numero di rank diverso: {before}, {after}"},
    {"compare.not_comparable.batches_per_step",
     "numero di batch per passo diverso (accumulo dei gradienti): {before}, {after}"},
    {"compare.not_comparable.step_source",
     "i passi sono stati trovati in modo diverso: {before}, {after}"},
    {"compare.not_comparable.no_steps",
     "troppo pochi passi stabili per un confronto: {before}, {after}"},
    {"compare.differs.workers", "num_workers {before} → {after}"},
    {"compare.differs.prefetch", "prefetch_factor {before} → {after}"},
    {"compare.differs.command", "la riga di comando"},
    {"compare.differs.commit", "il codice: {before} → {after}"},
    {"compare.differs.torch", "torch {before} → {after}"},
    {"compare.differs.python", "Python {before} → {after}"},
    {"compare.caution.contended_before",
     "prima: altri ne occupavano i core, i suoi tempi sono troppo lunghi"},
    {"compare.caution.contended_after",
     "dopo: altri ne occupavano i core, i suoi tempi sono troppo lunghi"},
    {"compare.caution.contended_both",
     "entrambe: altri ne occupavano i core, i loro tempi sono troppo lunghi"},
    {"compare.caution.nothing_changed",
     "nulla di ciò che si è registrato è cambiato (le modifiche senza commit non si vedono); "
     "esecuzioni così differiscono da sole fino a {spread_ratio}"},
    {"compare.prediction.not_tried",
     "non provato: le registrazioni non mostrano che la modifica consigliata sia stata fatta"},
    {"compare.prediction.other_cores",
     "la previsione era per {cores_predicted} core, l'esecuzione ne ha {cores}"},
    {"compare.prediction.vague",
     "il suo intervallo, da {low_ns} a {high_ns}, è troppo ampio per sbagliare: non dice nulla"},
    {"compare.prediction.other_change",
     "la previsione era per {workers_predicted} worker, l'esecuzione ne ha {workers_after}"},
});

}  // namespace

std::span<const CatalogueEntry> findings_it() noexcept { return kFindings; }

}  // namespace latido::report
