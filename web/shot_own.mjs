import { chromium } from "@playwright/test";
const url="http://127.0.0.1:8461", out="/tmp/w/person_shots"; 
import { mkdirSync } from "node:fs"; mkdirSync(out,{recursive:true});
const b = await chromium.launch({executablePath:"/usr/bin/chromium-headless-shell", args:["--no-sandbox","--disable-gpu"]});
for (const [name,w,h,locale,theme,tok] of [["phone-de",360,740,"de","light","D"],["desk-en",1280,800,"en","light","D"],["phone-fr-dark",360,740,"fr","dark","D"],["desk-it-dark",1280,800,"it","dark","D"],["empty",360,740,"de","light",""]]) {
  const c = await b.newContext({viewport:{width:w,height:h},locale:"de-CH",baseURL:url});
  if(tok) await c.addCookies([{name:"jasstisch",value:tok.repeat(43),url,httpOnly:true,sameSite:"Strict"}]);
  await c.addInitScript(t=>localStorage.setItem("jasstisch.settings",t), JSON.stringify({locale,theme}));
  const p = await c.newPage(); p.on("console",m=>m.type()==="error"&&console.log(name,m.text())); p.on("pageerror",e=>console.log(name,String(e)));
  await p.goto("/me"); await p.waitForSelector(tok?".matches li":".empty",{timeout:60000}).catch(e=>console.log(name,String(e).slice(0,200)));
  await p.waitForTimeout(700);
  await p.screenshot({path:`${out}/${name}.png`,fullPage:true});
  const over=await p.evaluate(()=>document.documentElement.scrollWidth-innerWidth); if(over>0) console.log(name,"overflow",over);
  if(name==="desk-en"){ await p.goto("/"); await p.waitForSelector(".tiles"); await p.screenshot({path:`${out}/start-desk.png`}); }
  if(name==="phone-de"){ await p.goto("/"); await p.waitForSelector(".tiles"); await p.screenshot({path:`${out}/start-phone.png`}); }
  await c.close();
}
await b.close();
