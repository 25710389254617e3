// The style of the page of a deck beside that of all pages: calm slides on a desk, large buttons on a telephone, a page a slide on paper.

export const STORY_STYLE = `
.story{max-width:1200px;padding-top:16px;padding-bottom:96px}
.story header{align-items:center;margin-bottom:12px}
.story header div{display:flex;gap:10px}
.story .brand{margin:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.story:has(#start.now) .brand{visibility:hidden}
.slide{padding:26px 44px 30px;margin:0 0 20px;outline:0;min-height:calc(100vh - 160px);scroll-margin-top:300px}
.slide .place{color:var(--muted);font-size:14px;margin:0 0 6px}
.slide h1{font-size:40px;margin:18vh 0 18px}
.slide h2{font-size:24px;line-height:1.3;letter-spacing:-.01em;max-width:42em;text-wrap:pretty;margin:0 0 6px}
.slide .summary{font-size:21px;line-height:1.5;color:var(--muted);max-width:34em;margin:0}
.slide .facts{margin:6px 0 22px;font-size:14.5px}
.slide .sentence{font-size:17px;font-weight:600;max-width:50em;margin:0 0 10px}
.slide .sentence+.heard+pre,.slide .sentence+.heard+pre+pre{margin-top:20px}
.slide pre{margin:0;font:15px/1.3 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;font-size:clamp(12px,calc((100vw - 240px)/61),17px);overflow-x:auto;font-variant-ligatures:none}
.slide pre i{font-style:normal;background:currentColor;-webkit-text-fill-color:transparent;padding:.14em 0}
.slide pre .pass,.slide pre .block,.slide pre .challenge,.slide pre .doubt,.slide pre .heading,.slide pre .warning{font-weight:650}
.slide .pass{color:var(--pass)}
.slide .block,.slide .error{color:var(--block)}
.slide .challenge{color:var(--challenge)}
.slide .doubt,.slide .fault{color:var(--doubt)}
.slide .accent{color:var(--accent)}
.slide .quiet{color:var(--muted)}
.slide pre.narrow{display:none}
.heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.slide details{margin:24px 0 0;border-top:1px solid var(--line);padding:14px 0 0}
.slide details+details{margin-top:14px}
.slide summary{cursor:pointer;font-weight:600}
.slide details pre{margin-top:14px}
.slide section{padding:20px 0 0;border:0;border-top:1px solid var(--line);border-radius:0;margin:24px 0 0}
.results{list-style:none;margin:22px 0;padding:0;font-size:17px}
.results li{display:grid;grid-template-columns:2.8em 8.4em 1fr;padding:7px 0;border-bottom:1px solid var(--line)}
.results .number{color:var(--muted)}
.conclusion{font-size:19px;font-weight:650}
.note{display:none;background:var(--raised);border-radius:10px;padding:12px 18px;margin:26px 0 0}
.note h3{margin:0 0 4px;color:var(--muted)}
.note p{margin:0}
.walk{position:fixed;left:0;right:0;bottom:0;display:flex;justify-content:center;align-items:center;gap:26px;padding:12px max(14px,env(safe-area-inset-left)) max(12px,env(safe-area-inset-bottom));background:var(--surface);border-top:1px solid var(--line)}
.walk button{font:inherit;font-size:16px;font-weight:600;color:var(--text);background:var(--raised);border:1px solid var(--muted);border-radius:10px;min-height:48px;min-width:130px;cursor:pointer}
.walk button:disabled{opacity:.45;cursor:default}
.walk>div{min-width:150px;text-align:center;color:var(--muted);font-size:14px}
.track{height:4px;border-radius:2px;background:var(--line);margin-top:6px;overflow:hidden}
.track div{height:100%;background:var(--accent)}
@media screen{
  .js .slide:not(.now){display:none}
  .noted .note{display:block}
}
@media (max-width:820px){
  .story{padding:12px 10px 100px}
  .story header{display:flex;gap:10px;margin-bottom:10px}
  .story header div{gap:6px}
  .story header .plain{margin:0;font-size:13px;padding:4px 9px}
  .slide{padding:20px 14px 24px;min-height:calc(100vh - 160px)}
  .slide h1{font-size:29px;margin-top:10vh}
  .slide h2{font-size:20px}
  .slide .summary{font-size:17px}
  .slide .facts{font-size:13.5px;gap:2px 14px;margin-bottom:18px}
  .slide pre{font-size:clamp(12px,calc((100vw - 52px)/24.3),17px)}
  .slide pre.wide{display:none}
  .slide pre.narrow{display:block}
  .results{font-size:15px}
  .results li{grid-template-columns:2.2em 7.4em 1fr}
  .walk{gap:12px}
  .walk button{flex:1;min-width:0}
  .walk>div{min-width:70px}
}
@page{size:A4 landscape;margin:12mm}
@media print{
  .story{padding:0}
  .story header,.walk,.slide details,.slide section,.note{display:none!important}
  .slide{border:0;padding:0;min-height:0;margin:0;break-after:page;break-inside:avoid}
  .slide:last-child{break-after:auto}
  .slide h2{font-size:19pt}
  .slide pre{font-size:9.5pt}
  .slide .sentence{font-size:10pt;margin:2pt 0}
  .slide .sentence~pre{font-size:7.2pt}
  .slide pre.wide{display:block}
  .slide pre.narrow{display:none}
  .slide pre i{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
`.trim();
