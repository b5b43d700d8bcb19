/** An address in a text. */
export interface FoundLink {
  /** The address as people read it. */
  readonly shown: string;
  /** The host in ASCII, without `www.`. */
  readonly host: string;
  readonly url: URL;
}

/** The most links that are looked at in one text. */
const mostLinks = 50;
/** No real host is longer, in any encoding; the time to parse one grows with the square of its length. */
const longestHost = 1_000;
/** The rest of a longer path is ignored. */
const longestPath = 1_000;

/**
 * Finds links with and without a scheme, and hidden ones: `example dot com`, `example (.) com`, `example .com`, dots of other
 * scripts. Mail addresses are not links. The text must be normalized, without invisible characters.
 */
export function findLinks(text: string): readonly FoundLink[] {
  const shown = text
    .replace(otherDots, ".")
    .replace(hiddenAt, "@")
    .replace(apart, (row) => (row.includes(".") ? row.replace(/\s/gu, "") : row));
  if (!mayHide.test(shown)) return [];
  const open = hiddenIn(shown);
  const found = new Map<string, FoundLink>();
  for (const candidate of candidates(shown, open)) {
    const link = parseLink(candidate);
    if (link !== undefined && !found.has(link.url.href)) found.set(link.url.href, link);
    if (found.size >= mostLinks) break;
  }
  return [...found.values()];
}

/** A quick check, because most comments contain nothing like a link. */
const mayHide = /[.:]|www|dot|d0t|точка|ドット|punkt|punto|point|点|점/iu;

interface LinkCandidate {
  readonly text: string;
  readonly kind: "schemed" | "bare" | "hidden";
}

const otherDots = /(?<=[\p{L}\p{N}])[。·•‧∙⋅](?=[\p{L}\p{N}])/gu;
const schemed = /\b(?:h(?:tt|xx|\*\*)ps?|ftp|tg|tor)\s?:\s?[/\\]{1,9}\s?([^\s<>"'`]+)/giu;
// In scripts without spaces, text stands directly before an address.
const bare =
  /(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}])[\p{L}\p{N}\-.])+/gu;
const whole = /[\p{L}\p{N}\-.]+/gu;
const rest = /(?::\d+)?(?:[/?#][^\s<>"'`]*)?/uy;

function* candidates(shown: string, open: string): Generator<LinkCandidate> {
  for (const [, text = ""] of shown.matchAll(schemed)) yield { text, kind: "schemed" };
  const others = shown.replace(schemed, " ");
  for (const text of addressesIn(others, bare)) yield { text, kind: "bare" };
  for (const text of addressesIn(others, whole)) yield { text, kind: "bare" };
  if (open === shown) return;
  for (const text of addressesIn(open.replace(schemed, " "), whole)) yield { text, kind: "hidden" };
}

/** Names with dots in between, with the path behind them. A name after an @ or right after a word is not an address. */
function* addressesIn(text: string, runs: RegExp): Generator<string> {
  runs.lastIndex = 0;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    const { index } = run;
    const labels = run[0].split(".");
    // The name ends before two dots in a row, and before a dot at the end.
    const end = labels.indexOf("");
    const named = end === -1 ? labels : labels.slice(0, end);
    if (named.length < 2 || /[@\w]/u.test(text[index - 1] ?? "")) continue;
    const name = named.join(".");
    rest.lastIndex = index + name.length;
    const [after = ""] = rest.exec(text) ?? [];
    runs.lastIndex = Math.max(runs.lastIndex, rest.lastIndex);
    yield name + after;
  }
}

const marked =
  /\s{0,3}[([{<]\s{0,3}(?:\.|dot|d0t|punkt|punto|point|точка|ドット|点|점)\s{0,3}[)\]}>]\s{0,3}/giu;
const spelled = /(?<=[\p{L}\p{N}])\s{1,3}(?:dot|d0t|точка|ドット)\s{1,3}(?=[\p{L}\p{N}])/giu;
// In a sentence nobody writes a space before the full stop and then a letter.
const spacedDot = /(?<=[\p{L}\p{N}])\s{1,3}\.\s{0,3}(?=[\p{L}\p{N}])/gu;

// A disguised mail address is still a mail address.
const hiddenAt = /\s{0,3}[([{<]\s{0,3}at\s{0,3}[)\]}>]\s{0,3}/giu;

/** `e v i l . c o m`: single letters, signs of addresses and blanks in between. */
const apart = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[^\S\n]{1,2}[\p{L}\p{N}.:/-](?![\p{L}\p{N}])){4,}/gu;
/** `www evil com` */
const withoutDots = /\bwww\s{1,3}([\p{L}\p{N}-]{2,63})\s{1,3}([a-z]{2,24})(?![\p{L}\p{N}])/giu;
/** Endings of addresses that are words in a sentence. */
const wordEndings: ReadonlySet<string> = new Set(
  "de es la se el un et tu au ne ma sa va ce ca la lo ya si ni do da na no new one here page email host link click".split(
    " ",
  ),
);

function hiddenIn(text: string): string {
  const open = text.replace(marked, ".").replace(spelled, ".").replace(spacedDot, ".");
  return open.replace(withoutDots, (row, name: string, ending: string) => {
    const isSure = classifyEnding(ending) === "sure" && !wordEndings.has(ending.toLowerCase());
    return isSure ? `www.${name}.${ending}` : row;
  });
}

function parseLink({ text, kind }: LinkCandidate): FoundLink | undefined {
  const trimmed = withoutEnd(text);
  const url = parseAddress(trimmed);
  if (url === undefined) return undefined;
  const host = bareHost(url.hostname);
  if (kind !== "schemed" && !isLink(trimmed, url, kind)) return undefined;
  if (!host.includes(".") && !host.startsWith("[")) return undefined;
  return { shown: trimmed.slice(0, 80), host, url };
}

/** Parses an address, without a user name before an @. */
function parseAddress(text: string): URL | undefined {
  const path = text.search(/[/?#\\]/u);
  const end = path === -1 ? text.length : path;
  const place = text.slice(text.lastIndexOf("@", end - 1) + 1, end);
  if (place === "" || place.length > longestHost) return undefined;
  return parseUrl(`https://${place}${text.slice(end, end + longestPath)}`);
}

const endings: ReadonlySet<string> = new Set(".,;:!?'\")]}>»”’…*");

/** Without punctuation at the end, which belongs to the sentence around the address. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && endings.has(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end);
}

function isLink(text: string, url: URL, kind: LinkCandidate["kind"]): boolean {
  const [name = ""] = text.split(/[/?#:]/u);
  const hasPath = url.pathname.length > 1 || url.search !== "" || url.hash !== "";
  if (/^[\d.]+$/u.test(name)) {
    const parts = name.split(".");
    const isAddress =
      parts.length === 4 && parts.every((part) => /^\d{1,3}$/u.test(part) && Number(part) < 256);
    return isAddress && (url.port !== "" || /[a-z]/iu.test(url.pathname));
  }
  if (/^www\d?\./iu.test(name)) return true;
  const ending = classifyEnding(name.slice(name.lastIndexOf(".") + 1));
  if (ending === undefined) return false;
  return ending === "sure" || (hasPath && kind === "bare");
}

export function parseUrl(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** A path without slashes at its end. */
export function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end -= 1;
  return path.slice(0, end);
}

export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^www\d?\./u, "")
    .replace(/\.$/u, "");
}

/** The host of a site as people enter it: `example.com`, `*.example.com`, `https://example.com/x`. Undefined if it isn't one. */
export function namedHost(named: string): string | undefined {
  const trimmed = named.trim();
  const address = /^[a-z]+:\/\//iu.test(trimmed) ? trimmed : `https://${trimmed}`;
  const host = bareHost(parseUrl(address.replace("://*.", "://"))?.hostname ?? "");
  return host.includes(".") && !/\s/u.test(trimmed) ? host : undefined;
}

/** Whether `host` is one of the hosts or a subdomain of one. */
export function isWithinHosts(host: string, hosts: readonly string[]): boolean {
  return hosts.some((one) => host === one || host.endsWith(`.${one}`));
}

// Country endings are the region codes that the runtime knows, plus these.
const moreCountries: ReadonlySet<string> = new Set(["uk", "eu", "su", "ac"]);
const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/** Longer endings that links in comments use. With any other ending a link needs `https://` or `www.`. */
const usualEndings: ReadonlySet<string> = new Set(
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
 * Endings that also occur in sentences or file names: `great.so`, `main.py`. A name with such an ending is a link only with
 * `www.` before it or a path behind it.
 */
const doubtfulEndings: ReadonlySet<string> = new Set(
  `is it so to me in no be at as us my am do im py md sh rs ps pm mk live one world today life fun best cool love work
  works team news name space win red blue pink black video run now new here how you zip mov fit bio care gift game
  games art film chat sale cash money`.split(/\s+/u),
);

/** Whether a host name's last part is an ending of links; undefined if it is not. */
function classifyEnding(label: string): "sure" | "doubtful" | undefined {
  const lower = label.toLowerCase();
  if (/^xn--[a-z0-9-]+$/u.test(lower)) return "sure";
  const isCountry =
    moreCountries.has(lower) ||
    (/^[a-z]{2}$/u.test(lower) && regions.of(lower.toUpperCase()) !== undefined);
  if (!usualEndings.has(lower) && !isCountry) return undefined;
  // A capitalised word starts a new sentence, after a missing space.
  const isSentence = /^\p{Lu}\p{Ll}+$/u.test(label);
  return isSentence || doubtfulEndings.has(lower) ? "doubtful" : "sure";
}
