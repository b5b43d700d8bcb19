/** Which hours a part of the day has: the first, the last (the night goes past midnight), and the one it means by itself. */
export type PartHours = readonly [from: number, to: number, alone?: number];

/** What a word can mean. A word may have several meanings; a text is understood when only one of its readings is complete. */
export interface WordValues {
  /** Says nothing: "on". */
  readonly filler: 1;
  /** Says nothing either, but a bare number after it is an hour: "at", "um". */
  readonly at: 1;
  /** A bare number after it may be a day of the month: "le", "am". */
  readonly article: 1;
  /** Only before a week, month or year. */
  readonly stepArticle: 1;
  readonly of: 1;
  readonly and: 1;
  /** Days from today. */
  readonly day: number;
  /** Days from today and a part of the day, `0 night`. */
  readonly dayPart: string;
  readonly now: 1;
  readonly weekday: number;
  /** A weekday only in brackets. */
  readonly shortWeekday: number;
  readonly month: number;
  /** The first day of a month, and other days in words. */
  readonly ordinal: number;
  /** Behind the number of a day: "th". */
  readonly ordinalMark: 1;
  /** The year before the first one of an era. */
  readonly era: number;
  readonly yearMark: 1;
  readonly monthMark: 1;
  readonly dayMark: 1;
  /** Beside a weekday or unit: `this`, `coming`, `next` (of the next week), `after` (of the week after), `last`. */
  readonly which: WhichDay;
  /** One word for a unit from now: `1 w` is next week. */
  readonly step: string;
  /** After a weekday: so many weeks after the coming one. */
  readonly weeksLater: number;
  readonly unit: LengthUnit;
  readonly count: number;
  /** Minutes: "quarter of an hour". */
  readonly length: number;
  /** Sixtieths of the unit before it: "and a half". */
  readonly unitPlus: number;
  readonly ahead: 1;
  readonly later: 1;
  readonly agoBefore: 1;
  readonly agoBehind: 1;
  /** Between a length and the day it begins at: "2 days after tomorrow". */
  readonly after: 1;
  readonly hourMark: 1;
  /** The same, but of a length too: "2 h" alone may be either. */
  readonly lengthMark: 1;
  /** The same, of hours past midnight too: 25時. */
  readonly lateHourMark: 1;
  readonly minuteMark: 1;
  readonly secondMark: 1;
  /** Minutes after the hour before it: "et demie". */
  readonly hourPlus: number;
  readonly plusMinutes: 1;
  readonly minusMinutes: 1;
  /** Minutes before the word for past or to: "half", "quarter". */
  readonly pastHour: number;
  readonly past: 1;
  readonly to: 1;
  /** Minutes of the hour that ends with the hour after it: "halb acht" is 7:30. */
  readonly ofHour: number;
  /** The British "half eight", 8:30. */
  readonly halfHour: number;
  readonly noon: 1;
  readonly midnight: 1;
  readonly exactly: 1;
  readonly meridiem: 0 | 12;
  /** In front of the hour: 午後. */
  readonly meridiemBefore: 0 | 12;
  readonly part: string;
  /** A part of the day only directly after a day: "Freitag morgen". */
  readonly partAfterDay: string;
  /** A zone; with an offset, only while its clocks have that: "PST" is not said of the summer. */
  readonly zone: string;
  /** Two letters, which are a word of another language. */
  readonly shortZone: string;
  readonly zoneWord: 1;
  /** No part of any date, because it may mean two things: "so um" is "about" or "on Sunday at". */
  readonly unclear: 1;
  /** In front of two times of day, between them, and behind them. */
  readonly from: 1;
  readonly until: 1;
  readonly rangeEnd: 1;
}

export type WhichDay = "this" | "coming" | "next" | "after" | "last";
export type LengthUnit = "ms" | "s" | "min" | "h" | "d" | "w" | "fortnight" | "mo" | "y";
export type WordKind = keyof WordValues;
export type DateLanguage = "en" | "de" | "es" | "fr" | "ja";

/** Words by what they mean, and by value where the meaning has one; commas between them. Accents, capitals and hyphens don't matter. */
export interface DateWords {
  readonly words: {
    readonly [K in WordKind]?: WordValues[K] extends 1 ? string : Readonly<Record<string, string>>;
  };
  readonly parts: Readonly<Record<string, PartHours>>;
  /** Two words that are written as one: "Freitagabend". */
  readonly compounds?: RegExp;
}

/** What is written in every language. */
export const sharedDateWords: DateWords["words"] = {
  at: "@",
  meridiem: { 0: "a.m., a. m., a.m", 12: "pm, p.m., p. m., p.m" },
  minuteMark: "min, m, mn, '",
  secondMark: "s, sec",
  unit: {
    ms: "ms",
    s: "s, sec, secs, sek, seg, '', \"",
    min: "m, min, mins, mn, '",
    h: "h, hr, hrs, std",
    d: "d",
    w: "w, wk",
  },
  until: "-, ~, 〜, →",
  zone: {
    UTC: "utc, gmt, z, zulu",
    "Europe/Berlin +01:00": "cet, mez",
    "Europe/Berlin +02:00": "cest, mesz",
    "Europe/London +01:00": "bst",
    "Europe/Lisbon +00:00": "wet",
    "Europe/Lisbon +01:00": "west",
    "Europe/Athens +02:00": "eet, oez",
    "Europe/Athens +03:00": "eest, oesz",
    "Europe/Moscow": "msk",
    "Asia/Tokyo": "jst",
    "Asia/Seoul": "kst",
    "Asia/Singapore": "sgt",
    "Asia/Hong_Kong": "hkt",
    "Asia/Manila": "pht",
    "Asia/Karachi": "pkt",
    "Africa/Johannesburg": "sast",
    "America/Sao_Paulo": "brt",
    "Australia/Sydney +10:00": "aest",
    "Australia/Sydney +11:00": "aedt",
    "Pacific/Auckland +12:00": "nzst",
    "Pacific/Auckland +13:00": "nzdt",
    "America/New_York": "eastern",
    "America/New_York -05:00": "est",
    "America/New_York -04:00": "edt",
    "America/Chicago": "central",
    "America/Chicago -06:00": "cst",
    "America/Chicago -05:00": "cdt",
    "America/Denver": "mountain",
    "America/Denver -07:00": "mst",
    "America/Denver -06:00": "mdt",
    "America/Los_Angeles": "pacific",
    "America/Los_Angeles -08:00": "pst",
    "America/Los_Angeles -07:00": "pdt",
    "America/Anchorage -09:00": "akst",
    "America/Anchorage -08:00": "akdt",
    "Pacific/Honolulu": "hst",
  },
};

const en: DateWords = {
  words: {
    filler: "on, in the",
    at: "at",
    meridiem: { 0: "am" },
    article: "the, on the",
    of: "of",
    and: "and, &",
    day: {
      "-2": "day before yesterday, the day before yesterday",
      "-1": "yesterday",
      0: "today",
      1: "tomorrow, tomorow, tommorow, tommorrow, tmrw, tmr, tmw, 2morrow",
      2: "day after tomorrow, the day after tomorrow, overmorrow",
    },
    now: "now, right now",
    dayPart: {
      "0 night": "tonight, tonite",
      "-1 night": "last night",
      "0 morning": "this morning",
      "0 afternoon": "this afternoon",
      "0 evening": "this evening",
    },
    weekday: {
      0: "sunday, sun",
      1: "monday, mon",
      2: "tuesday, tues, tue",
      3: "wednesday, weds, wed",
      4: "thursday, thurs, thur, thu",
      5: "friday, fri",
      6: "saturday, sat",
    },
    month: {
      1: "january, jan",
      2: "february, feb",
      3: "march, mar",
      4: "april, apr",
      5: "may",
      6: "june, jun",
      7: "july, jul",
      8: "august, aug",
      9: "september, sept, sep",
      10: "october, oct",
      11: "november, nov",
      12: "december, dec",
    },
    ordinal: {
      1: "first",
      2: "second",
      3: "third",
      4: "fourth",
      5: "fifth",
      6: "sixth",
      7: "seventh",
      8: "eighth",
      9: "ninth",
      10: "tenth",
      11: "eleventh",
      12: "twelfth",
      13: "thirteenth",
      14: "fourteenth",
      15: "fifteenth",
      16: "sixteenth",
      17: "seventeenth",
      18: "eighteenth",
      19: "nineteenth",
      20: "twentieth",
      21: "twenty first",
      22: "twenty second",
      23: "twenty third",
      24: "twenty fourth",
      25: "twenty fifth",
      26: "twenty sixth",
      27: "twenty seventh",
      28: "twenty eighth",
      29: "twenty ninth",
      30: "thirtieth",
      31: "thirty first",
    },
    ordinalMark: "st, nd, rd, th",
    which: {
      this: "this",
      coming: "coming, this coming, upcoming",
      next: "next",
      last: "last, past, previous",
    },
    step: { "2 w": "the week after next, week after next", "2 mo": "the month after next" },
    weeksLater: { 1: "week" },
    unit: {
      ms: "millisecond, milliseconds, msec",
      s: "second, seconds, seconds' time",
      min: "minute, minutes, minute's time, minutes' time",
      h: "hour, hours, hour's time, hours' time",
      d: "day, days, days', days' time, day's time",
      w: "week, weeks, wks, weeks' time, week's time",
      fortnight: "fortnight, fortnights, fortnight's time",
      mo: "month, months, month's time, months' time",
      y: "year, years, yr, yrs, year's time, years' time",
    },
    count: {
      0.25: "a quarter of an, quarter of an, a quarter",
      0.5: "half a, half an, a half, half",
      0.75: "three quarters of an",
      1: "a, an, one",
      2: "two, a couple of, a couple, couple of",
      3: "three",
      4: "four",
      5: "five",
      6: "six",
      7: "seven",
      8: "eight",
      9: "nine",
      10: "ten",
      11: "eleven",
      12: "twelve",
      13: "thirteen",
      14: "fourteen",
      15: "fifteen",
      16: "sixteen",
      17: "seventeen",
      18: "eighteen",
      19: "nineteen",
      20: "twenty",
      21: "twenty one",
      22: "twenty two",
      23: "twenty three",
      24: "twenty four",
      25: "twenty five",
      30: "thirty",
      40: "forty",
      45: "forty five",
      50: "fifty",
      55: "fifty five",
      60: "sixty",
      90: "ninety",
    },
    unitPlus: { 30: "and a half", 15: "and a quarter", 45: "and three quarters" },
    ahead: "in",
    later: "from now, later, hence, from today",
    agoBehind: "ago, earlier, before now",
    after: "after, from",
    hourMark: "o'clock, oclock, o clock",
    lengthMark: "h",
    shortZone: {
      "America/New_York": "et",
      "America/Chicago": "ct",
      "America/Denver": "mt",
      "America/Los_Angeles": "pt",
    },
    minuteMark: "minutes",
    pastHour: { 15: "quarter, a quarter", 30: "half" },
    past: "past, after",
    to: "to, till, til, before",
    halfHour: { 30: "half" },
    noon: "noon, midday, noontime",
    midnight: "midnight",
    exactly: "sharp, exactly, on the dot",
    part: {
      morning: "morning, in the morning",
      afternoon: "afternoon, in the afternoon",
      evening: "evening, in the evening",
      night: "night, at night, in the night",
    },
    zoneWord: "time, in",
    from: "from, between",
    until: "to, until, till, til, and, through",
  },
  parts: {
    morning: [1, 11, 6],
    afternoon: [12, 18, 15],
    evening: [16, 23, 20],
    night: [19, 4, 22],
  },
};

const de: DateWords = {
  words: {
    filler: "an, im, das, dem, die",
    at: "um",
    article: "am, den, der, dem",
    of: "des",
    and: "und, u",
    day: {
      "-3": "vorvorgestern",
      "-2": "vorgestern",
      "-1": "gestern",
      0: "heute, heut",
      1: "morgen",
      2: "übermorgen, uebermorgen",
      3: "überübermorgen, ueberuebermorgen",
    },
    now: "jetzt, sofort",
    dayPart: {
      "0 night": "heute nacht, heut nacht",
      "0 morning": "heute früh, heute frueh, heut früh, heut frueh",
      "1 morning": "morgen früh, morgen frueh",
    },
    weekday: {
      0: "sonntag, so",
      1: "montag, mo",
      2: "dienstag, di",
      3: "mittwoch, mi",
      4: "donnerstag, do",
      5: "freitag, fr",
      6: "samstag, sa, sonnabend",
    },
    month: {
      1: "januar, jan, jänner, jaenner",
      2: "februar, feb, febr, feber",
      3: "märz, maerz, mär, mrz, mär",
      4: "april, apr",
      5: "mai",
      6: "juni, jun, juno",
      7: "juli, jul",
      8: "august, aug",
      9: "september, sept, sep",
      10: "oktober, okt",
      11: "november, nov",
      12: "dezember, dez",
    },
    ordinalMark: "te, ten, ter, ste, sten, ster",
    ordinal: {
      1: "erster, ersten, erste",
      2: "zweiter, zweiten, zweite",
      3: "dritter, dritten, dritte",
      4: "vierter, vierten, vierte",
      5: "fünfter, fünften, fünfte",
      6: "sechster, sechsten, sechste",
      7: "siebter, siebten, siebte",
      8: "achter, achten, achte",
      9: "neunter, neunten, neunte",
      10: "zehnter, zehnten, zehnte",
      11: "elfter, elften, elfte",
      12: "zwölfter, zwölften, zwölfte",
      13: "dreizehnter, dreizehnten",
      14: "vierzehnter, vierzehnten",
      15: "fünfzehnter, fünfzehnten",
      16: "sechzehnter, sechzehnten",
      17: "siebzehnter, siebzehnten",
      18: "achtzehnter, achtzehnten",
      19: "neunzehnter, neunzehnten",
      20: "zwanzigster, zwanzigsten",
      21: "einundzwanzigster, einundzwanzigsten",
      22: "zweiundzwanzigster, zweiundzwanzigsten",
      23: "dreiundzwanzigster, dreiundzwanzigsten",
      24: "vierundzwanzigster, vierundzwanzigsten",
      25: "fünfundzwanzigster, fünfundzwanzigsten",
      26: "sechsundzwanzigster, sechsundzwanzigsten",
      27: "siebenundzwanzigster, siebenundzwanzigsten",
      28: "achtundzwanzigster, achtundzwanzigsten",
      29: "neunundzwanzigster, neunundzwanzigsten",
      30: "dreißigster, dreißigsten, dreissigsten",
      31: "einunddreißigster, einunddreißigsten",
    },
    which: {
      this: "diesen, dieser, diese, dieses, diesem",
      coming: "kommenden, kommender, kommende, kommendes, kommendem",
      next: "nächsten, nächster, nächste, nächstes, nächstem, naechsten, naechster, naechste, naechstes",
      after: "übernächsten, übernächster, übernächste, übernächstes, uebernaechsten, uebernaechste",
      last: "letzten, letzter, letzte, letztes, vorigen, vorige, vergangenen, vergangene",
    },
    unit: {
      ms: "millisekunde, millisekunden",
      s: "sekunde, sekunden",
      min: "minute, minuten",
      h: "stunde, stunden, stdn",
      d: "tag, tage, tagen",
      w: "woche, wochen",
      mo: "monat, monate, monaten, monats",
      y: "jahr, jahre, jahren, jahres",
    },
    count: {
      0.5: "halbe, halben, halber, halbes, eine halbe, einer halben, ein halbes, einem halben, einen halben",
      1: "ein, eine, einen, einer, einem, eines, eins",
      1.5: "anderthalb, eineinhalb, einundeinhalb",
      2: "zwei, zwo",
      2.5: "zweieinhalb",
      3: "drei",
      3.5: "dreieinhalb",
      4: "vier",
      5: "fünf, fuenf",
      6: "sechs",
      7: "sieben",
      8: "acht",
      9: "neun",
      10: "zehn",
      11: "elf",
      12: "zwölf, zwoelf",
      13: "dreizehn",
      14: "vierzehn",
      15: "fünfzehn, fuenfzehn",
      16: "sechzehn",
      17: "siebzehn",
      18: "achtzehn",
      19: "neunzehn",
      20: "zwanzig",
      21: "einundzwanzig",
      22: "zweiundzwanzig",
      23: "dreiundzwanzig",
      24: "vierundzwanzig",
      25: "fünfundzwanzig",
      30: "dreißig, dreissig",
      40: "vierzig",
      45: "fünfundvierzig",
      50: "fünfzig",
      55: "fünfundfünfzig",
      60: "sechzig",
      90: "neunzig",
    },
    length: {
      15: "viertelstunde, viertel stunde",
      30: "halbstunde",
      45: "dreiviertelstunde, dreiviertel stunde, drei viertel stunde, drei viertelstunden",
    },
    unitPlus: { 30: "und eine halbe, und ein halber, und ein halbes" },
    ahead: "in",
    later: "später, spaeter, ab jetzt",
    agoBefore: "vor",
    agoBehind: "zuvor",
    after: "nach",
    hourMark: "uhr",
    lengthMark: "h",
    minuteMark: "minuten",
    pastHour: { 15: "viertel" },
    past: "nach",
    to: "vor",
    ofHour: { 15: "viertel", 30: "halb", 45: "dreiviertel, drei viertel" },
    noon: "mittag, mittags, am mittag, zu mittag",
    midnight: "mitternacht, um mitternacht",
    exactly: "punkt, genau",
    unclear: "so um",
    part: {
      morning:
        "morgens, früh, frueh, in der früh, in der frueh, am morgen, in der frühe, am frühen morgen",
      forenoon: "vormittag, vormittags, am vormittag",
      noon: "mittag, mittags, am mittag",
      afternoon: "nachmittag, nachmittags, am nachmittag",
      evening: "abend, abends, am abend",
      night: "nacht, nachts, in der nacht",
    },
    partAfterDay: { morning: "morgen" },
    zoneWord: "zeit, ortszeit, in",
    from: "von, zwischen",
    until: "bis, und, bis um",
  },
  parts: {
    morning: [1, 11, 6],
    forenoon: [6, 12, 9],
    noon: [11, 14, 12],
    afternoon: [12, 18, 15],
    evening: [16, 23, 18],
    night: [21, 5, 22],
  },
  compounds:
    /((?:sonn|mon|diens|donners|frei|sams)tag|mittwoch|sonnabend)(fruh|frueh|morgen|vormittag|mittag|nachmittag|abend|nacht)/gu,
};

const es: DateWords = {
  words: {
    filler: "del",
    stepArticle: "la",
    meridiem: { 0: "am" },
    at: "a las, a la, a, las",
    article: "el, el día, día, del, del día",
    of: "de, del, de la",
    and: "y, e, con",
    day: {
      "-2": "anteayer, antes de ayer, antier, antes de ayer",
      "-1": "ayer",
      0: "hoy",
      1: "mañana",
      2: "pasado mañana",
    },
    now: "ahora, ahora mismo",
    dayPart: {
      "-2 night": "anteanoche, antenoche, antes de anoche",
      "-1 night": "anoche",
      "0 morning": "esta mañana",
      "0 afternoon": "esta tarde",
      "0 night": "esta noche",
    },
    weekday: {
      0: "domingo, dom, do",
      1: "lunes, lun, lu",
      2: "martes, mar, ma",
      3: "miércoles, mié, mi",
      4: "jueves, jue, ju",
      5: "viernes, vie, vi",
      6: "sábado, sáb, sa",
    },
    month: {
      1: "enero, ene",
      2: "febrero, feb",
      3: "marzo, mar",
      4: "abril, abr",
      5: "mayo, may",
      6: "junio, jun",
      7: "julio, jul",
      8: "agosto, ago",
      9: "septiembre, setiembre, sept, sep, set",
      10: "octubre, oct",
      11: "noviembre, nov",
      12: "diciembre, dic",
    },
    ordinal: { 1: "primero, primer" },
    ordinalMark: "o, er, ro",
    which: {
      this: "este, esta",
      coming: "próximo, próxima, que viene, siguiente, entrante",
      last: "pasado, pasada, último, última",
    },
    unit: {
      ms: "milisegundo, milisegundos",
      s: "segundo, segundos",
      min: "minuto, minutos",
      h: "hora, horas, hs",
      d: "día, días",
      w: "semana, semanas, sem",
      mo: "mes, meses",
      y: "año, años",
    },
    count: {
      0.5: "medio, media",
      1: "un, una, uno",
      2: "dos, un par de",
      3: "tres",
      4: "cuatro",
      5: "cinco",
      6: "seis",
      7: "siete",
      8: "ocho",
      9: "nueve",
      10: "diez",
      11: "once",
      12: "doce",
      13: "trece",
      14: "catorce",
      15: "quince",
      16: "dieciséis",
      17: "diecisiete",
      18: "dieciocho",
      19: "diecinueve",
      20: "veinte",
      21: "veintiuno, veintiún, veintiuna",
      22: "veintidós",
      23: "veintitrés",
      24: "veinticuatro",
      25: "veinticinco",
      26: "veintiséis",
      27: "veintisiete",
      28: "veintiocho",
      29: "veintinueve",
      30: "treinta",
      31: "treinta y uno",
      40: "cuarenta",
      45: "cuarenta y cinco",
      50: "cincuenta",
      60: "sesenta",
      90: "noventa",
    },
    length: { 15: "cuarto de hora, un cuarto de hora", 45: "tres cuartos de hora" },
    unitPlus: { 30: "y media, y medio", 15: "y cuarto", 45: "y tres cuartos" },
    ahead: "en, dentro de, de aquí a",
    later: "después, más tarde",
    agoBefore: "hace",
    agoBehind: "atrás",
    after: "después de, a partir de, desde",
    lengthMark: "h, horas, hs, hrs",
    minuteMark: "minutos",
    hourPlus: { 15: "y cuarto", 30: "y media", "-15": "menos cuarto" },
    plusMinutes: "y, con",
    minusMinutes: "menos",
    pastHour: { 15: "cuarto, un cuarto" },
    to: "para las, para la",
    noon: "mediodía, medio día, al mediodía, a mediodía, del mediodía",
    midnight: "medianoche, media noche, a medianoche, a la medianoche",
    exactly: "en punto",
    part: {
      morning: "de la mañana, por la mañana, en la mañana, a la mañana",
      dawn: "de la madrugada, por la madrugada, en la madrugada, de madrugada, madrugada",
      noon: "del mediodía, de mediodía",
      afternoon: "de la tarde, por la tarde, en la tarde, a la tarde, tarde",
      night: "de la noche, por la noche, en la noche, a la noche, de noche, noche",
    },
    zoneWord: "hora de, hora del, hora, en",
    from: "de, desde, entre, desde las, de las, entre las",
    until: "a, hasta, y, hasta las, a las, y las, hasta la, a la",
  },
  parts: {
    morning: [1, 12, 6],
    dawn: [0, 6],
    noon: [11, 15, 12],
    afternoon: [12, 21, 15],
    night: [18, 4, 22],
  },
};

const fr: DateWords = {
  words: {
    filler: "pour le",
    stepArticle: "la, l'",
    meridiem: { 0: "am" },
    at: "à",
    article: "le",
    of: "de, du, d', de la",
    and: "et",
    day: {
      "-2": "avant hier",
      "-1": "hier",
      0: "aujourd'hui, aujourdhui, aujourd hui, auj",
      1: "demain",
      2: "après demain, apres demain",
    },
    now: "maintenant",
    dayPart: {
      "0 morning": "ce matin",
      "0 afternoon": "cet après midi, cet aprèm, cette après midi",
      "0 evening": "ce soir",
      "0 night": "cette nuit",
    },
    weekday: {
      0: "dimanche, dim",
      1: "lundi, lun",
      2: "mardi, mar",
      3: "mercredi, mer, mercr",
      4: "jeudi, jeu",
      5: "vendredi, ven, vendr",
      6: "samedi, sam",
    },
    month: {
      1: "janvier, janv, jan",
      2: "février, févr, fév",
      3: "mars",
      4: "avril, avr",
      5: "mai",
      6: "juin",
      7: "juillet, juil, juill",
      8: "août, aou",
      9: "septembre, sept, sep",
      10: "octobre, oct",
      11: "novembre, nov",
      12: "décembre, déc",
    },
    ordinal: { 1: "premier" },
    ordinalMark: "er, ère, e, ème",
    which: {
      this: "ce, cet, cette",
      next: "prochain, prochaine, prochains, qui vient",
      last: "dernier, dernière, passé, passée",
    },
    weeksLater: { 1: "en huit", 2: "en quinze" },
    unit: {
      ms: "milliseconde, millisecondes",
      s: "seconde, secondes",
      min: "minute, minutes",
      h: "heure, heures",
      d: "jour, jours, j",
      w: "semaine, semaines, sem",
      mo: "mois",
      y: "an, ans, année, années",
    },
    count: {
      0.5: "demi, demie, une demie, un demi",
      1: "un, une",
      2: "deux",
      3: "trois",
      4: "quatre",
      5: "cinq",
      6: "six",
      7: "sept",
      8: "huit",
      9: "neuf",
      10: "dix",
      11: "onze",
      12: "douze",
      13: "treize",
      14: "quatorze",
      15: "quinze",
      16: "seize",
      17: "dix sept",
      18: "dix huit",
      19: "dix neuf",
      20: "vingt",
      21: "vingt et un, vingt et une",
      22: "vingt deux",
      23: "vingt trois",
      24: "vingt quatre",
      25: "vingt cinq",
      26: "vingt six",
      27: "vingt sept",
      28: "vingt huit",
      29: "vingt neuf",
      30: "trente",
      31: "trente et un",
      40: "quarante",
      45: "quarante cinq",
      50: "cinquante",
      60: "soixante",
      90: "quatre vingt dix",
    },
    length: {
      15: "quart d'heure, un quart d'heure",
      30: "demi heure, demie heure, une demi heure, une demie heure",
      45: "trois quarts d'heure",
    },
    unitPlus: { 30: "et demie, et demi", 15: "et quart, un quart", 45: "trois quarts" },
    ahead: "dans, d'ici",
    later: "plus tard",
    agoBefore: "il y a, y a",
    agoBehind: "plus tôt",
    after: "après, à partir de, à compter de",
    hourMark: "h, heure, heures, hrs",
    minuteMark: "minutes, minute",
    hourPlus: {
      15: "et quart, un quart",
      30: "et demie, et demi",
      "-15": "moins le quart, moins quart, moins un quart",
    },
    minusMinutes: "moins",
    noon: "midi, à midi",
    midnight: "minuit, à minuit",
    exactly: "pile, précises, précise",
    part: {
      morning: "du matin, du mat, matin, le matin, au matin",
      noon: "du midi",
      afternoon: "de l'après midi, après midi, l'après midi, aprèm, dans l'après midi",
      evening: "du soir, soir, le soir, au soir, en soirée, soirée, dans la soirée",
      night: "de la nuit, nuit, la nuit, dans la nuit",
    },
    zoneWord: "heure de, heure d', heure du, heure, à, en",
    from: "de, entre, du, depuis",
    until: "à, et, jusqu'à, au, jusqu'au",
  },
  parts: {
    morning: [1, 11, 8],
    noon: [11, 14, 12],
    afternoon: [12, 18, 14],
    evening: [16, 23, 18],
    night: [20, 5, 22],
  },
};

const ja: DateWords = {
  words: {
    filler: "の, に, は",
    meridiem: { 0: "am" },
    of: "の",
    and: "と",
    day: {
      "-3": "さきおととい, 一昨々日, 一昨昨日",
      "-2": "一昨日, おととい, おとつい",
      "-1": "昨日, きのう",
      0: "今日, きょう, 本日",
      1: "明日, あした, あす, みょうにち",
      2: "明後日, あさって, みょうごにち",
      3: "明々後日, 明明後日, しあさって",
    },
    now: "今, いま",
    dayPart: {
      "-1 night": "昨夜, 昨晩, ゆうべ",
      "0 morning": "今朝, けさ",
      "0 night": "今夜, 今晩, こんや, こんばん",
      "1 morning": "明朝",
      "1 night": "明晩",
      "0 evening": "今夕",
    },
    weekday: {
      0: "日曜日, 日曜, にちようび",
      1: "月曜日, 月曜, げつようび",
      2: "火曜日, 火曜, かようび",
      3: "水曜日, 水曜, すいようび",
      4: "木曜日, 木曜, もくようび",
      5: "金曜日, 金曜, きんようび",
      6: "土曜日, 土曜, どようび",
    },
    shortWeekday: { 0: "日", 1: "月", 2: "火", 3: "水", 4: "木", 5: "金", 6: "土" },
    era: { 2018: "令和" },
    yearMark: "年",
    monthMark: "月, がつ",
    dayMark: "日, にち",
    which: { this: "この, 今度の", coming: "次の, つぎの", last: "この前の" },
    step: {
      "-1 w": "先週, せんしゅう",
      "0 w": "今週, こんしゅう",
      "1 w": "来週, らいしゅう, 翌週",
      "2 w": "再来週, さ来週, さらいしゅう",
      "-1 mo": "先月",
      "0 mo": "今月",
      "1 mo": "来月, 翌月",
      "2 mo": "再来月",
      "-1 y": "昨年, 去年",
      "0 y": "今年, 本年",
      "1 y": "来年, 翌年",
      "2 y": "再来年",
    },
    unit: {
      ms: "ミリ秒",
      s: "秒, 秒間",
      min: "分, 分間",
      h: "時間",
      d: "日, 日間",
      w: "週間, 週",
      mo: "ヶ月, か月, カ月, ヵ月, ケ月, 箇月, ヶ月間, か月間, カ月間",
      y: "年, 年間",
    },
    count: { 0: "零", 0.5: "半" },
    unitPlus: { 30: "半" },
    later: "後, ご, 後に, のち",
    agoBehind: "前, まえ, 前に",
    lateHourMark: "時, じ",
    lengthMark: "h",
    minuteMark: "分, ふん, ぷん",
    secondMark: "秒",
    hourPlus: { 30: "半" },
    noon: "正午, お昼, 昼",
    midnight: "真夜中",
    exactly: "ちょうど, きっかり, ぴったり",
    meridiemBefore: { 0: "午前, am", 12: "午後, pm" },
    part: {
      dawn: "未明",
      early: "早朝, 明け方",
      morning: "朝, あさ, 翌朝",
      noon: "昼, お昼, ひる, 昼過ぎ",
      evening: "夕方, ゆうがた, 夕",
      night: "夜, よる, 晩, ばん",
      late: "深夜, 夜中",
    },
    zoneWord: "時間",
    until: "から, より",
    rangeEnd: "まで, の間, 間, までの間",
  },
  parts: {
    dawn: [0, 4],
    early: [3, 8],
    morning: [4, 11, 6],
    noon: [11, 15, 12],
    evening: [15, 20, 18],
    night: [18, 3, 20],
    late: [22, 5],
  },
};

export const dateWords: Readonly<Record<DateLanguage, DateWords>> = { en, de, es, fr, ja };
