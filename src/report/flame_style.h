// Style of the flame graph, added to the one of html_style.h on pages that carry one.
//
// --f0 to --f6 are for the files with the most own time, --f7 for all others. Each two are at least
// 12 apart (CIELAB) for people who see all colours and for those who lack red, green or blue (after
// Machado 2009), and text in --ink stands out 4.5 to 1; names stand in the frames, so that colour is
// never the only signal. --d0 (less) to --d6 (more) of a comparison are held to the same; the frames
// carry a sign and a number too.
#pragma once

#include <string_view>

namespace latido::report {

inline constexpr std::string_view kFlameStyle = R"css(
:root{--f0:#d5874f;--f1:#f2c054;--f2:#96d7ff;--f3:#2fac83;--f4:#b590b7;--f5:#889ce9;--f6:#f4e4b9;--f7:#c6ddd8;
--d0:#5fa8e0;--d1:#9ccbef;--d2:#cfe5f6;--d3:#e9e8e3;--d4:#f8dcb8;--d5:#f3b468;--d6:#e88a2b}
@media (prefers-color-scheme:dark){:root{
--f0:#b7330c;--f1:#646f1b;--f2:#0063a7;--f3:#2e4e3e;--f4:#865084;--f5:#503374;--f6:#453a16;--f7:#546a6a;
--d0:#066eac;--d1:#225385;--d2:#2c405a;--d3:#45474a;--d4:#624235;--d5:#8e5628;--d6:#a55000}}
@media print{:root{--f0:#d5874f;--f1:#f2c054;--f2:#96d7ff;--f3:#2fac83;--f4:#b590b7;--f5:#889ce9;--f6:#f4e4b9;--f7:#c6ddd8;
--d0:#5fa8e0;--d1:#9ccbef;--d2:#cfe5f6;--d3:#e9e8e3;--d4:#f8dcb8;--d5:#f3b468;--d6:#e88a2b}}
.f0{background:var(--f0)}.f1{background:var(--f1)}.f2{background:var(--f2)}.f3{background:var(--f3)}
.f4{background:var(--f4)}.f5{background:var(--f5)}.f6{background:var(--f6)}.f7{background:var(--f7)}
.d0{background:var(--d0)}.d1{background:var(--d1)}.d2{background:var(--d2)}.d3{background:var(--d3)}
.d4{background:var(--d4)}.d5{background:var(--d5)}.d6{background:var(--d6)}
.flametools label{display:inline-flex;gap:6px;align-items:center;font-size:14px}
.flametools{display:flex;flex-wrap:wrap;gap:6px 10px;align-items:center;margin:0 0 6px}
.flametools input[type=search]{flex:1 1 180px;min-width:0;max-width:320px}
.flametools input[type=search],.flametools button{font:inherit;font-size:14px;padding:4px 10px;color:var(--ink);background:var(--page);
border:1px solid var(--rule);border-radius:7px}
.flametools button{cursor:pointer}
.flametools :focus-visible,#flame-view:focus-within{outline:2px solid var(--accent);outline-offset:1px}
#flame-line{margin:6px 0 0;min-height:1.5em;font-size:13px;line-height:1.5;overflow-wrap:anywhere}
#flame-view{overflow-x:hidden;overflow-y:auto;border-radius:4px}
#flame-canvas{display:block;position:sticky;top:0;width:100%;outline:0}
.flamehelp{margin:2px 0 0;font-size:12px}
#flame ul.legend{margin:0 0 6px}#flame ul.legend li{overflow-wrap:anywhere}
@media (max-width:560px){#flame-line{min-height:3em}}
@media print{.flametools,.flamehelp{display:none}}
)css";

}  // namespace latido::report
