// The region names that the runtime knows are the two-letter endings in use, but for these.
const more: ReadonlySet<string> = new Set(["uk", "eu", "su", "ac"]);
const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Endings of longer names that links in comments have; any other counts with `https://` or `www.` before it. */
const usual: ReadonlySet<string> = new Set(
  `com net org info biz pro mobi app dev xyz top online site website store shop club link click vip icu buzz cyou bond
  sbs cfd monster rest quest tech digital agency media blog wiki host cloud email page group company network systems
  solutions services support download stream games game casino bet poker porn sex xxx adult dating webcam cam chat
  social studio design photos finance financial money cash credit loan loans fund capital exchange trading market
  markets academy education university guru expert tips deals discount sale gift gifts promo coupons bargains lol wtf
  zone center city gold diamonds luxury travel tours yoga fit health care clinic dental diet pharmacy vet pet dog lat
  mom beauty hair makeup skin bio eco earth asia africa berlin london nyc paris tokyo moscow tel ooo ink art film
  movie tube audio radio press review reviews science software technology tools engineer onl live one world today life
  fun best cool love work works team news name space win red blue pink black video run now new here how you zip mov
  рф рус онлайн сайт дети москва укр бел срб қаз бг ею гру კომ 中国 中國 香港 台湾 台灣 新加坡 公司 网络 網絡 网站
  在线 商城 网店 移动 我爱你 中文网 集团 企业 娱乐 游戏 世界 みんな コム ストア セール ポイント クラウド 한국 닷컴 닷넷
  삼성 भारत कॉम संगठन ไทย คอม שוקר ישראל קום امارات السعودية مصر المغرب الجزائر ایران بھارت پاکستان شبكة موقع كوم`.split(
    /\s+/u,
  ),
);

/**
 * Endings that are words of sentences or of file names: `great.so`, `main.py`. A name with such an ending is a link with
 * `www.` before it or a path behind it.
 */
const doubtful: ReadonlySet<string> = new Set(
  `is it so to me in no be at as us my am do im py md sh rs ps pm mk live one world today life fun best cool love work
  works team news name space win red blue pink black video run now new here how you zip mov fit bio care gift game
  games art film chat sale cash money`.split(/\s+/u),
);

export type Ending = "sure" | "doubtful";

/** What the last part of a host name makes of it; undefined when it is no ending. */
export function endingOf(label: string): Ending | undefined {
  const lower = label.toLowerCase();
  if (/^xn--[a-z0-9-]+$/u.test(lower)) return "sure";
  if (!usual.has(lower) && !isCountry(lower)) return undefined;
  // A sentence that began without a space before it.
  const isSentence = /^\p{Lu}\p{Ll}+$/u.test(label);
  return isSentence || doubtful.has(lower) ? "doubtful" : "sure";
}

function isCountry(label: string): boolean {
  if (!/^[a-z]{2}$/u.test(label)) return false;
  return more.has(label) || regions.of(label.toUpperCase()) !== undefined;
}
