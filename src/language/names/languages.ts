import { once } from "../../once.ts";
import { locales } from "../locales.ts";
import { countryCodes, countryNamed, invertNames } from "./countries.ts";
import { byFoldedName, foldedName, typedName } from "./folded-name.ts";
import words from "./language-words.json" with { type: "json" };
import ownNames from "./own-names.json" with { type: "json" };

const english = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
const scripts = new Intl.DisplayNames("en", { type: "script", fallback: "none" });

/** What is no language, or more than one. */
const noLanguages = new Set("und mul mis zxx root".split(" "));

/** Languages with varieties that people name: those of regions, and of scripts. */
const varieties =
  "de-AT de-CH en-AU en-CA en-GB en-IE en-IN en-NZ en-US en-ZA es-419 es-AR es-CL es-CO es-ES es-MX es-US fr-BE fr-CA fr-CH fr-FR it-CH nl-BE nl-NL pt-BR pt-PT sr-Cyrl sr-Latn zh-CN zh-HK zh-Hans zh-Hant zh-SG zh-TW".split(
    " ",
  );

/** Codes by folded name: in the bot's languages and in the language itself. */
const languageNames = once((): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  const add = (text: string | undefined, code: string) => {
    const name = foldedName(text ?? "");
    if (name !== "" && !names.has(name)) names.set(name, code);
  };
  for (const [code, typed] of Object.entries(words)) {
    for (const name of typed.split(", ")) add(name, code);
  }
  for (const locale of locales) {
    for (const languageDisplay of ["dialect", "standard"] as const) {
      const display = new Intl.DisplayNames(locale, {
        type: "language",
        fallback: "none",
        languageDisplay,
      });
      // Only varieties have two names: "Brazilian Portuguese" and "Portuguese (Brazil)".
      const codes = languageDisplay === "dialect" ? [...namedLanguages(), ...varieties] : varieties;
      for (const code of codes) add(display.of(code), code);
    }
  }
  for (const [code, name] of Object.entries(ownNames)) add(name, code);
  return names;
});

/** Languages with codes of three letters that the runtime has names for. */
const longCodes =
  "ace ach ada ady aeb afh agq ain akk akz ale aln alt ang ann anp arc arn aro arp arq ars arw ary arz asa ase ast atj avk awa bal ban bar bas bax bbc bbj bej bem bew bez bfd bfq bgc bgn bho bik bin bjn bkm bla blo blt bpy bqi bra brh brx bss bua bug bum byn byv cad car cay cch ccp ceb cgg chb chg chk chm chn cho chp chr chy cic ckb clc cop cps crg crh crj crk crl crm crr crs csb csw dak dar dav del den dgr din dje doi dsb dtp dua dum dyo dyu dzg ebu efi egl egy eka elx enm esu ewo ext fan fil fit fon frc frm fro frp frr frs fur gaa gag gan gay gba gbz gez gil glk gmh goh gon gor got grb grc gsw guc gur guz gwi hai hak haw hax hif hil hit hmn hnj hsb hsn hup hur iba ibb ikt ilo inh izh jam jbo jgo jmc jpr jrb jut kaa kab kac kaj kam kaw kbd kbl kcg kde kea kek ken kfo kgp kha kho khq khw kiu kkj kln kmb koi kok kos kpe krc kri krj krl kru ksb ksf ksh kum kut kwk kxv lad lag lah lam lez lfn lij lil liv lkt lmo lol lou loz lrc lsm ltg lua lui lun luo lus luy lzh lzz mad maf mag mai mak man mas mde mdf mdr men mer mfe mga mgh mgo mic min mnc mni moe moh mos mrj mua mus mwl mwr mwv mye myv mzn nan nap naq nds new nia niu njo nmg nnh nog non nov nqo nso nus nwc nym nyn nyo nzi ojb ojc ojs ojw oka osa ota pag pal pam pap pau pcd pcm pdc pdt peo pfl phn pis pms pnt pon pqm prg pro quc qug raj rap rar rgn rhg rif rof rom rtm rue rug rup rwk sad sah sam saq sas sat saz sba sbp scn sco sdc sdh see seh sei sel ses sga sgs shi shn shu sid slh sli sly sma smj smn sms snk sog srn srr ssy stq str suk sus sux swb syc syr szl tce tcy tem teo ter tet tgx tht tig tiv tkl tkr tlh tli tly tmh tog tok tpi tru trv trw tsd tsi ttm ttt tum tvl twq tyv tzm udm uga umb vai vec vep vls vmf vmw vot vro vun wae wal war was wbp wuu xal xmf xnr xog yao yap yav ybb yrl yue zap zbl zea zen zgh zun zza".split(
    " ",
  );

/** Every language that the runtime has a name for, by its canonical code. */
export const namedLanguages = once((): readonly string[] => {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const two = letters.flatMap((first) => letters.map((second) => first + second));
  return [...two.filter((code) => isLanguage(code) && canonical(code) === code), ...longCodes];
});

function isLanguage(code: string): boolean {
  return !noLanguages.has(code) && english.of(code) !== undefined;
}

function canonical(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0];
  } catch {
    return undefined;
  }
}

/** The longest name is far shorter. */
const longestText = 80;

/**
 * The BCP 47 code of the language that the whole text means: a code that exists (`pt_BR`, `iw` and `deu` become `pt-BR`,
 * `he` and `de`), or a name in one of the bot's languages or in its own, with a country in brackets behind it or not.
 */
export function languageNamed(text: string): string | undefined {
  if (text.length > longestText) return undefined;
  const typed = typedName(text);
  return (
    codeNamed(typed) ?? byFoldedName(languageNames(), foldedName(typed)) ?? varietyNamed(typed)
  );
}

const tag = /^[a-z]{2,3}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?$/iu;

function codeNamed(typed: string): string | undefined {
  const code = tag.test(typed) ? canonical(typed.replaceAll("_", "-")) : undefined;
  if (code === undefined) return undefined;
  const { language, script, region } = new Intl.Locale(code);
  // "und" has none.
  if (language === undefined || !isLanguage(language)) return undefined;
  if (script !== undefined && scripts.of(script) === undefined) return undefined;
  const isRegion = region === undefined || region === "419" || countryCodes.includes(region);
  if (!isRegion) return undefined;
  // Others write LA for Latin America; nobody means Spanish in Laos.
  return code === "es-LA" ? "es-419" : code;
}

/** "Portuguese (Brazil)", "Portugiesisch - Brasilien" and "ポルトガル語（ブラジル）". */
function varietyNamed(typed: string): string | undefined {
  const [, name = "", place = ""] = /^([^(),–-]+)[(,–-]([^(),–-]+)\)?$/u.exec(typed) ?? [];
  const language = languageNames().get(foldedName(name));
  const country = countryNamed(place.trim());
  if (language === undefined || country === undefined || language.includes("-")) return undefined;
  return `${language}-${country}`;
}

const namesByCode = once(() => invertNames(languageNames()));

/** Everything that a language is called, folded; for search. */
export function namesOfLanguage(code: string): readonly string[] {
  return namesByCode().get(canonical(code) ?? code) ?? [];
}
