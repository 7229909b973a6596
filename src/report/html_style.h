// The style sheet of the HTML report: a constant, no fonts, no images, nothing fetched.
//
// Colours are variables, so that dark mode and paper are three short lists. The phases' colours can
// be told apart with the common kinds of colour blindness (after Okabe and Ito); their order in
// legend and stack is the same, so that colour is never the only signal.
#pragma once

#include <string_view>

namespace latido::report {

inline constexpr std::string_view kHtmlStyle = R"css(
:root{color-scheme:light dark;
--page:#f6f7f9;--card:#fff;--ink:#1b2330;--faint:#5d6878;--rule:#dde2e9;--grid:#e6eaf0;--hover:rgba(20,40,80,.10);
--bad:#b3261e;--good:#1b7f3b;--warn:#9a5b00;--accent:#1f5fbf;
--p0:#d55e00;--p1:#e6a817;--p2:#0067a8;--p3:#55b0e6;--p4:#c36a9d;--p5:#0a9069;--p6:#8a94a3;--slow:#1b2330}
@media (prefers-color-scheme:dark){:root{
--page:#11151b;--card:#1a2029;--ink:#e6eaf0;--faint:#9aa6b6;--rule:#2f3845;--grid:#28303b;--hover:rgba(200,220,255,.14);
--bad:#ff8a80;--good:#6fd08c;--warn:#f0b357;--accent:#7fb1ff;
--p0:#ee7a2b;--p1:#f0bd45;--p2:#3b93d0;--p3:#8accf5;--p4:#d98cba;--p5:#35b98f;--p6:#8994a5;--slow:#e6eaf0}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:1080px;margin:0 auto;padding:16px}
header.top{display:flex;flex-wrap:wrap;gap:4px 14px;align-items:baseline;margin:4px 0 14px}
header.top h1{font-size:22px;margin:0;overflow-wrap:anywhere}
.brand{font-weight:700;color:var(--accent)}
.faint{color:var(--faint)}
.pieces{display:flex;flex-wrap:wrap;gap:2px 14px;margin:0;padding:0;list-style:none;color:var(--faint);overflow-wrap:anywhere}
.pieces li{min-width:0}
section>.pieces:not(:last-child){margin-bottom:12px}
section,.card{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:14px 16px;margin:0 0 14px}
h2{font-size:16px;margin:0 0 8px}
h2 .faint{font-weight:400;font-size:13px;margin-left:6px}
h3{font-size:14px;margin:14px 0 6px}
.verdict{border-left:6px solid var(--faint)}
.verdict.bad{border-left-color:var(--bad)}.verdict.good{border-left-color:var(--good)}
.verdict h2{font-size:19px;margin-bottom:4px}
.verdict .name{letter-spacing:.02em}
.bad .name{color:var(--bad)}.good .name{color:var(--good)}
.verdict p{margin:0 0 6px}
.died p{margin:0}.card>p:last-child{margin-bottom:0}
.died{border-left:6px solid var(--bad)}
.died b{color:var(--bad)}
.warn{border-left:6px solid var(--warn)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 16px;margin:10px 0 0}
dt{font-weight:600;color:var(--faint)}
dd{margin:0;min-width:0;overflow-wrap:anywhere;white-space:pre-wrap}
code{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:10px;margin:0 0 14px}
.tile{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:10px 14px}
.tile .label{font-size:12px;color:var(--faint)}
.tile .label::first-letter,figcaption strong::first-letter{text-transform:uppercase}
figcaption strong{display:inline-block}
.tile .value{font-size:20px;font-weight:650;line-height:1.25}
.tile .sub{font-size:12px;color:var(--faint)}
ol.evidence{margin:0;padding-left:22px}
ol.evidence li{margin:3px 0;overflow-wrap:anywhere}
ol.evidence b{margin-right:6px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:4px 8px;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap}
thead th{font-size:12px;font-weight:600;color:var(--faint);vertical-align:bottom}
th:first-child,td:first-child{text-align:left;padding-left:0}
tbody th{font-weight:500}
tbody tr:last-child>*{border-bottom:0}
tr.sum>*{font-weight:700;border-top:2px solid var(--rule)}
td.text,th.text{text-align:left;white-space:normal;overflow-wrap:anywhere}
td.barcell{width:38%;min-width:90px}
td.detail{text-align:left;white-space:normal;color:var(--faint);font-size:13px}
td.place{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:170px}
.scroll{overflow-x:auto}
.scroll table th[scope=row]{max-width:340px;overflow:hidden;text-overflow:ellipsis}
.scroll table.wide th[scope=row]{min-width:220px;max-width:260px;white-space:normal;overflow-wrap:anywhere}
table.wide thead th:last-child,table.text-last thead th:last-child{text-align:left}
svg{display:block}
svg.bar{width:100%;height:12px}
svg.split{height:26px;margin:4px 0 10px;border-radius:5px}
.split rect{stroke:var(--card);stroke-width:2px;vector-effect:non-scaling-stroke}
.gain{max-width:560px;margin-top:10px}
.gainrow{display:grid;grid-template-columns:64px 1fr 84px;gap:10px;align-items:center;font-size:13px}
.gainrow b{text-align:right}
.before{fill:var(--p6)}.after{fill:var(--good)}
.interval{fill:var(--ink);fill-opacity:.30}
.track{fill:var(--grid)}.busy{fill:var(--p1)}.computing{fill:var(--p0)}.plain{fill:var(--accent)}
figure.plot{margin:0 0 18px}
figure.plot:last-child{margin-bottom:2px}
figcaption{margin-bottom:4px}
figcaption .faint{font-size:13px}
ul.legend{display:flex;flex-wrap:wrap;gap:2px 14px;margin:0 0 6px;padding:0;list-style:none;font-size:12px;color:var(--faint)}
.swatch{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:5px;vertical-align:-1px}
.frame{position:relative;padding-left:66px}
.frame svg{width:100%;height:210px;border-bottom:1px solid var(--faint)}
.ylabels{position:absolute;left:0;top:0;width:60px;height:210px;font-size:12px;color:var(--faint)}
.ylabels span{position:absolute;right:0;transform:translateY(50%);white-space:nowrap}
.xlabels{position:relative;height:18px;margin-left:66px;font-size:12px;color:var(--faint)}
.xlabels span{position:absolute;top:2px;white-space:nowrap;transform:translateX(-50%)}
.xlabels .start{transform:none}.xlabels .end{transform:translateX(-100%)}
.xtitle{margin-left:66px;text-align:center;font-size:12px;color:var(--faint)}
.grid{stroke:var(--grid);vector-effect:non-scaling-stroke}
.area{stroke:var(--card);stroke-width:.6px;vector-effect:non-scaling-stroke}
.line{fill:none;stroke-width:1.8px;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.hit{fill:transparent}.hit:hover{fill:var(--hover)}
.p0{fill:var(--p0);background:var(--p0)}.p1{fill:var(--p1);background:var(--p1)}.p2{fill:var(--p2);background:var(--p2)}
.p3{fill:var(--p3);background:var(--p3)}.p4{fill:var(--p4);background:var(--p4)}.p5{fill:var(--p5);background:var(--p5)}
.p6{fill:var(--p6);background:var(--p6)}
.line.slowest{stroke:var(--slow);stroke-width:1px;stroke-opacity:.55}.swatch.slowest{height:2px;vertical-align:4px;background:var(--slow)}
.line.l0{stroke:var(--p2)}.line.l1{stroke:var(--p0);stroke-dasharray:7 3}.line.l2{stroke:var(--p5);stroke-dasharray:2 3}
.line.l3{stroke:var(--p4);stroke-dasharray:10 3 2 3}.line.l4{stroke:var(--p1)}.line.l5{stroke:var(--p6);stroke-dasharray:4 4}
.swatch.l0,.swatch.l1,.swatch.l2,.swatch.l3,.swatch.l4,.swatch.l5{height:3px;width:18px;vertical-align:4px}
.swatch.l0{background:var(--p2)}.swatch.l1{background:repeating-linear-gradient(90deg,var(--p0) 0 7px,transparent 7px 10px)}
.swatch.l2{background:repeating-linear-gradient(90deg,var(--p5) 0 2px,transparent 2px 5px)}
.swatch.l3{background:repeating-linear-gradient(90deg,var(--p4) 0 8px,transparent 8px 10px)}
.swatch.l4{background:var(--p1)}.swatch.l5{background:repeating-linear-gradient(90deg,var(--p6) 0 4px,transparent 4px 8px)}
details{margin:6px 0 0 66px;font-size:13px}
details.plain{margin-left:0}
summary{cursor:pointer;color:var(--accent)}
details .scroll{margin-top:6px}
.same{color:var(--faint)}.better{color:var(--good)}.worse{color:var(--bad)}
footer{color:var(--faint);font-size:13px;margin:4px 2px 20px}
@media (min-width:860px){.pair{display:grid;grid-template-columns:1fr 1fr;gap:14px}.pair>section{margin-bottom:14px}
.pair>section:only-child{grid-column:1/-1}}
@media (max-width:560px){main{padding:10px}section>.pieces:not(:last-child){margin-bottom:12px}
section,.card{padding:12px}
.frame{padding-left:52px}.ylabels{width:47px;font-size:11px}.xlabels,.xtitle{margin-left:52px}.xlabels .mid:nth-child(even){display:none}
details{margin-left:0}th,td{padding:4px 5px}td.barcell{min-width:60px;width:26%}.tiles{grid-template-columns:1fr 1fr}
dl{grid-template-columns:1fr;gap:0 0}dd{margin-bottom:8px}}
@media print{:root{--page:#fff;--card:#fff;--ink:#000;--faint:#444;--rule:#bbb;--grid:#ddd;--slow:#000;
--p0:#d55e00;--p1:#e6a817;--p2:#0067a8;--p3:#55b0e6;--p4:#c36a9d;--p5:#0a9069;--p6:#8a94a3;--bad:#b3261e;--good:#1b7f3b}
body{font-size:11px;-webkit-print-color-adjust:exact;print-color-adjust:exact}main{max-width:none;padding:0}
section,figure,.tile{break-inside:avoid}details:not([open]){display:none}}
)css";

}  // namespace latido::report
