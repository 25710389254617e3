// The style sheet of the HTML report for screen, phone and paper, light and dark.

import { PAGE_DARK, PAGE_LIGHT, type PageColors } from "#src/display/page-color.ts";

export function pageStyle(): string {
  return [
    `:root{${variables(PAGE_LIGHT)}color-scheme:light}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${variables(PAGE_DARK)}color-scheme:dark}}`,
    `@media screen{:root[data-theme=dark]{${variables(PAGE_DARK)}color-scheme:dark}}`,
    ...Object.keys(PAGE_LIGHT.roles).map(
      (role) =>
        `.verdict.${role},.tile.${role} .figure,.note.${role}{color:var(--${role})}rect.${role}{fill:var(--${role})}td.flip.${role}{background:var(--${role}-tint);color:var(--${role})}`,
    ),
    SHEET,
  ].join("\n");
}

function variables({ roles, tints, ...grounds }: PageColors): string {
  return [
    ...Object.entries(grounds),
    ...Object.entries(roles),
    ...Object.entries(tints).map(([role, color]) => [`${role}-tint`, color] as const),
  ]
    .map(([name, color]) => `--${name}:${color};`)
    .join("");
}

const SHEET = `
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif;font-variant-numeric:tabular-nums}
.page{max-width:1160px;margin:0 auto;padding:36px 28px 48px}
header{display:flex;justify-content:space-between;align-items:flex-start;gap:24px;margin-bottom:28px}
.brand{font-weight:650;letter-spacing:.01em;color:var(--muted);margin:0 0 18px}
.brand strong{color:var(--text);font-weight:750}
h1{font-size:31px;line-height:1.2;font-weight:680;letter-spacing:-.017em;margin:0 0 10px;max-width:24em;text-wrap:balance}
.lead{font-size:16px;color:var(--muted);margin:0;padding:0;list-style:none;max-width:54em}
.lead li{display:grid;grid-template-columns:1.5em 1fr;margin:3px 0}
.lead strong{color:var(--text);font-weight:620}
.whole{white-space:nowrap}
.facts{display:flex;flex-wrap:wrap;gap:6px 20px;margin:16px 0 0;padding:0;list-style:none;color:var(--muted);font-size:13.5px}
.facts b{color:var(--text);font-weight:600}
h2{font-size:18px;line-height:1.3;font-weight:650;letter-spacing:-.008em;margin:0 0 4px}
section{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:24px 26px;margin:0 0 20px}
section>p.what{margin:0 0 18px;color:var(--muted);max-width:60em}
.muted{color:var(--muted)}
.tiles{display:grid;grid-template-columns:repeat(6,1fr);gap:14px;margin:0 0 20px;padding:0}
.tile{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:16px 18px;min-width:0}
.tile dt{color:var(--muted);font-size:13px;font-weight:550}
.tile dd{margin:0}
.tile .figure{font-size:26px;line-height:1.25;font-weight:680;letter-spacing:-.015em;margin:6px 0 4px;white-space:nowrap}
.tile .note{color:var(--muted);font-size:13px;line-height:1.4}
.verdict{font-weight:650;white-space:nowrap}
svg{display:block;overflow:visible}
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif;fill:var(--muted)}
.mix svg{border-radius:7px;overflow:hidden}
.mix svg rect{stroke:var(--surface);stroke-width:2px}
svg .on-bar{fill:var(--surface);font-size:15px;font-weight:700}
svg .mark{stroke:var(--text);stroke-width:1;stroke-dasharray:3 3}
svg .mark-text{fill:var(--text);font-weight:600}
svg .tick{stroke:var(--muted);stroke-width:1}
.legend{display:flex;flex-wrap:wrap;gap:8px 26px;list-style:none;margin:16px 0 0;padding:0}
.scroll{overflow-x:auto;border-radius:8px}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:600}
.matrix{min-width:560px}
.matrix td{width:26%}
.matrix th,.matrix td{padding:12px 14px;vertical-align:top;border:1px solid var(--line)}
.matrix th{background:var(--raised)}
.matrix .corner{color:var(--muted);font-weight:500;font-size:13px;white-space:nowrap}
.matrix td span{display:block}
.matrix td span span{display:inline}
.matrix .count{font-size:21px;font-weight:680;line-height:1.25}
.matrix .share{font-size:13px;font-weight:550;margin-bottom:4px}
.matrix .sum{font-size:13px;white-space:nowrap;color:var(--text)}
.matrix .same .count{font-weight:550}
.matrix .same .share,.matrix .same .sum{color:var(--muted)}
.matrix .none .count{color:var(--muted);font-weight:400;font-size:17px}
.changes{list-style:none;margin:16px 0 0;padding:0;display:flex;flex-wrap:wrap;gap:6px 22px;color:var(--muted);font-size:14px}
.changes b{color:var(--text)}
.list{font-size:14px}
.list th,.list td{padding:9px 12px;border-bottom:1px solid var(--line);vertical-align:top}
.list thead th{background:var(--raised);border-bottom:1px solid var(--line);white-space:nowrap;font-size:13px}
.list tbody tr:hover{background:var(--raised)}
.list .number{text-align:right;white-space:nowrap}
.list .key{font-weight:600;overflow-wrap:anywhere;min-width:11em}
.list .why{color:var(--muted);overflow-wrap:anywhere;min-width:16em}
.list .origin{color:var(--muted);font-size:13px}
.list tbody tr:last-child>*{border-bottom:0}
.list th button{all:unset;cursor:pointer;font-weight:600;display:inline-flex;gap:5px;align-items:center}
.list th button:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:3px}
.list th button span{color:var(--muted);font-size:11px;min-width:1em}
.js .folded tr.more{display:none}
.tools{display:flex;flex-wrap:wrap;gap:12px;align-items:flex-end;margin:0 0 14px}
.tools label{display:block;flex:1 1 130px;font-size:13px;font-weight:550;color:var(--muted)}
.tools label.grow{flex:6 1 240px}
input,select{display:block;width:100%;height:40px;margin-top:4px;font-family:inherit;font-size:15px;font-weight:400;color:var(--text);background:var(--ground);border:1px solid var(--muted);border-radius:8px;padding:0 11px}
::placeholder{color:var(--muted);opacity:1}
button.plain{font:inherit;font-weight:550;color:var(--text);background:var(--surface);border:1px solid var(--muted);border-radius:8px;padding:7px 14px;cursor:pointer;white-space:nowrap}
button.plain:hover{background:var(--raised)}
button.plain:disabled{opacity:.5;cursor:default}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.pager{display:flex;gap:12px;align-items:center;justify-content:space-between;flex-wrap:wrap;margin-top:14px}
.pager div{display:flex;gap:10px;align-items:center}
.after,.below{margin:14px 0 0}
dl.about{display:grid;grid-template-columns:max-content 1fr;gap:8px 22px;margin:14px 0 0}
dl.about dt{color:var(--muted);font-weight:550}
dl.about dd{margin:0;overflow-wrap:anywhere}
footer{color:var(--muted);font-size:13px;margin-top:26px}
footer p{margin:4px 0;overflow-wrap:anywhere}
h1.sentence{font-size:27px;line-height:1.28;max-width:32em}
h3{font-size:14px;font-weight:600;margin:12px 0 6px}
.extra{display:block;font-size:12.5px;font-weight:400;color:var(--muted);white-space:nowrap}
.shares th,.shares td{padding:11px 14px}
.shares td .main{font-size:20px;font-weight:680;line-height:1.25}
.halves{display:grid;grid-template-columns:1fr 1fr;gap:12px 36px}
.open{margin:12px 0 0;padding:0 0 0 1.2em;max-width:62em}
.open li{margin:4px 0}
svg.plot{overflow:hidden}
svg.key{display:inline-block;vertical-align:-2px}
svg .grid{stroke:var(--line)}
svg .curve{fill:none;stroke-width:2}
svg .today{stroke:var(--muted);stroke-dasharray:5 4}
svg .proposed{stroke:var(--accent)}
svg .dot{stroke-width:2;stroke-dasharray:none;fill:var(--surface)}
svg .dot.proposed{fill:var(--accent)}
[hidden]{display:none!important}
@media (max-width:1000px){
  .tiles{grid-template-columns:repeat(3,1fr)}
}
@media (max-width:760px){
  .halves{grid-template-columns:1fr}
}
@media (max-width:620px){
  .page{padding:22px 14px 36px}
  header{display:block}
  header .plain{margin-top:16px}
  h1{font-size:25px}
  h1.sentence{font-size:21px}
  .shares th,.shares td{padding:9px 5px}
  .shares td .main{font-size:16px}
  .shares .extra{font-size:11.5px;white-space:normal}
  .decision .list th,.decision .list td{padding:9px 7px}
  .lead{font-size:15px}
  .tiles{grid-template-columns:repeat(2,1fr);gap:10px}
  .tile{padding:13px 14px}
  .tile .figure{font-size:22px}
  section{padding:18px 16px;border-radius:10px}
  .matrix th,.matrix td{padding:10px}
  .list .why{min-width:24em}
  .list .origin{white-space:nowrap}
  dl.about{grid-template-columns:1fr;gap:2px}
  dl.about dd{margin-bottom:8px}
}
@page{margin:14mm}
@media print{
  body{background:#fff;font-size:11pt}
  .page{max-width:none;padding:0}
  .tools,.pager button,header button,.after,.list th button span{display:none!important}
  section,.tile{break-inside:avoid;border-color:#bbb}
  section.long{break-inside:auto}
  tr{break-inside:avoid}
  thead{display:table-header-group}
  .scroll{overflow:visible}
  .decision .list{font-size:9pt}
  .decision .list th,.decision .list td{padding:5px 6px}
  .decision .list .why{min-width:0}
  rect,td.flip,.matrix th,.list thead th{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
`.trim();
