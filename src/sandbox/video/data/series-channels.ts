import { shuffle } from "./random.ts";
import {
  type SampleChannel,
  type SampleVideo,
  type SampleVideoExtras,
  sampleChannels,
} from "./sample-channels.ts";

/** A channel whose titles are generated: every subject in every pattern. */
interface SeriesChannel extends Omit<SampleChannel, "videos"> {
  /** `{}` is the place of the subject. */
  readonly patterns: readonly string[];
  readonly subjects: readonly string[];
}

/** Smaller channels, so that search, charts and lists have more than a handful to choose from. */
const seriesChannels: readonly SeriesChannel[] = [
  {
    title: "Second Wheel",
    handle: "@secondwheel",
    about: "Bicycles that others gave up on, and how they ride again.",
    country: "GB",
    language: "en",
    categoryId: "17",
    keywords: ["bicycle", "repair", "cycling", "workshop", "tools"],
    subscribers: 74_200,
    hue: 98,
    paceDays: 8,
    patterns: [
      "How to fix {}",
      "Living with {} for a month",
      "What {} really costs",
      "{}: three tools, no tears",
    ],
    subjects: [
      "a bent rim",
      "a creaking bottom bracket",
      "a slipping chain",
      "a stuck seat post",
      "worn brake pads",
      "a noisy freewheel",
    ],
  },
  {
    title: "Jardín en el Balcón",
    handle: "@jardinenelbalcon",
    about: "Huerto y flores en cuatro metros cuadrados, sin prisa.",
    country: "ES",
    language: "es",
    categoryId: "26",
    keywords: ["jardín", "huerto", "plantas", "balcón", "macetas"],
    subscribers: 128_000,
    hue: 110,
    paceDays: 6,
    patterns: [
      "{} en maceta, semana a semana",
      "Todo sobre {} en diez minutos",
      "Errores comunes con {}",
      "{} a la sombra: ¿merece la pena?",
    ],
    subjects: ["tomates cherry", "albahaca", "lavanda", "pimientos", "menta", "fresas", "rúcula"],
  },
  {
    title: "Chess at Noon",
    handle: "@chessatnoon",
    about: "One position, one sandwich, one idea to take back to the board.",
    country: "US",
    language: "en",
    categoryId: "27",
    keywords: ["chess", "tactics", "endgame", "strategy", "puzzles"],
    subscribers: 211_000,
    hue: 42,
    paceDays: 5,
    patterns: [
      "Understanding {} in one lunch break",
      "Five traps in {}",
      "My worst games with {}",
      "{}: puzzles from club nights",
    ],
    subjects: [
      "the Caro-Kann",
      "rook endings",
      "the London System",
      "knight forks",
      "back-rank mates",
      "opposite-side castling",
      "the King's Gambit",
    ],
  },
  {
    title: "La Table d’à Côté",
    handle: "@latabledacote",
    about: "Cuisine de tous les jours, petites tables et grandes faims.",
    country: "FR",
    language: "fr",
    categoryId: "26",
    keywords: ["cuisine", "recette", "dîner", "facile", "maison"],
    subscribers: 187_000,
    hue: 8,
    paceDays: 4,
    patterns: [
      "Réussir {} sans stress",
      "{} en trente minutes",
      "Trois façons de rater {}",
      "{} comme le dimanche",
    ],
    subjects: [
      "la ratatouille",
      "le gratin dauphinois",
      "la tarte aux poireaux",
      "le clafoutis",
      "la soupe à l’oignon",
      "la mousse au chocolat",
    ],
  },
  {
    title: "Sala de Máquinas",
    handle: "@salademaquinas",
    about: "Computadores antigos, solda quente e muita poeira.",
    country: "BR",
    language: "pt",
    categoryId: "28",
    keywords: ["retrô", "computadores", "eletrônica", "conserto", "hardware"],
    subscribers: 53_400,
    hue: 280,
    paceDays: 9,
    patterns: [
      "Restaurando {}",
      "O que há dentro de {}",
      "Ligando {} pela primeira vez em 20 anos",
      "Quanto vale {} hoje?",
    ],
    subjects: [
      "um disquete de 1987",
      "um teclado mecânico",
      "uma placa de som antiga",
      "um monitor de tubo",
      "uma impressora matricial",
      "um modem de 14.400",
    ],
  },
  {
    title: "Slow Miles",
    handle: "@slowmiles",
    about: "Running for people who will never win and don't mind.",
    country: "IE",
    language: "en",
    categoryId: "17",
    keywords: ["running", "training", "marathon", "trail", "health"],
    subscribers: 39_800,
    hue: 172,
    paceDays: 7,
    patterns: [
      "What I learned from {}",
      "{}, without the nonsense",
      "A beginner's plan for {}",
      "{}: filmed in one take",
    ],
    subjects: [
      "hill repeats",
      "the long run",
      "a first 5K",
      "marathon week",
      "recovery days",
      "running in rain",
    ],
  },
  {
    title: "Kleine Werkbank",
    handle: "@kleinewerkbank",
    about: "Möbel und Kleinkram aus Holz, gebaut auf 80 mal 50 Zentimetern.",
    country: "AT",
    language: "de",
    categoryId: "26",
    keywords: ["holz", "werkstatt", "selber bauen", "möbel", "werkzeug"],
    subscribers: 92_700,
    hue: 24,
    paceDays: 10,
    patterns: [
      "{} aus Restholz",
      "{} an einem Nachmittag",
      "{}: alle Fehler inklusive",
      "{} ganz ohne Schrauben",
    ],
    subjects: [
      "ein Schneidbrett",
      "ein Bücherregal",
      "eine Schublade",
      "ein Hocker",
      "eine Werkzeugkiste",
      "ein Vogelhaus",
    ],
  },
  {
    title: "작은 식탁 Small Table",
    handle: "@smalltable",
    about: "혼자 사는 사람을 위한 저녁. Korean home cooking on one burner.",
    country: "KR",
    language: "ko",
    categoryId: "26",
    keywords: ["요리", "집밥", "korean food", "cooking", "자취"],
    subscribers: 341_000,
    hue: 355,
    paceDays: 5,
    patterns: ["{} 십 분 만에", "자취생의 {}", "{}: one pan, no special tools", "실패 없는 {}"],
    subjects: ["김치볶음밥", "된장찌개", "계란말이", "떡볶이", "비빔국수", "호박전"],
  },
  {
    title: "Paper & Fold",
    handle: "@paperandfold",
    about: "Origami for clumsy hands.",
    country: "NZ",
    language: "en",
    categoryId: "27",
    keywords: ["origami", "paper", "craft", "folding", "diy"],
    subscribers: 66_100,
    hue: 312,
    paceDays: 6,
    patterns: [
      "Fold {} in five minutes",
      "{}, from one square",
      "Teaching my dad to fold {}",
      "{} from wrapping paper",
    ],
    subjects: [
      "a crane that flaps",
      "a box with a lid",
      "a modular star",
      "a fox",
      "a wallet",
      "a lotus",
    ],
  },
  {
    title: "مطبخ الحي",
    handle: "@hayykitchen",
    about: "أكلات البيت كما نحبها، بخطوات قصيرة. Home food, short steps.",
    country: "JO",
    language: "ar",
    categoryId: "26",
    keywords: ["مطبخ", "وصفات", "طبخ", "recipes", "levant"],
    subscribers: 254_000,
    hue: 60,
    paceDays: 6,
    patterns: ["طريقة عمل {} في البيت", "{} بدون تعقيد", "أسرار {}", "{} في عشر دقائق"],
    subjects: ["الحمص", "الفلافل", "المقلوبة", "الكنافة", "شوربة العدس"],
  },
];

const videosEach = 20;

/** All sample channels, the hand-written ones first. */
export function allSampleChannels(random: () => number): SampleChannel[] {
  return [...sampleChannels, ...seriesChannels.map((channel) => toEntry(channel, random))];
}

function toEntry({ patterns, subjects, ...channel }: SeriesChannel, random: () => number) {
  const titles = subjects.flatMap((subject) => patterns.map((pattern) => fill(pattern, subject)));
  const videos = shuffle(titles, random)
    .slice(0, videosEach)
    .map((title): SampleVideo => [title, lengthOf(random), extrasOf(random)]);
  return { ...channel, videos };
}

function fill(pattern: string, subject: string): string {
  const title = pattern.replace("{}", () => subject);
  return title.charAt(0).toLocaleUpperCase() + title.slice(1);
}

/** One in eight is a short; the others last up to an hour, most of them some ten minutes. */
function lengthOf(random: () => number): number {
  if (random() < 0.125) return 14 + Math.floor(random() * 46);
  return 150 + Math.floor(random() ** 2.5 * 3400);
}

function extrasOf(random: () => number): SampleVideoExtras {
  const chance = random();
  if (chance < 0.02) return { commentsOff: true };
  if (chance < 0.04) return { hidesLikes: true };
  if (chance < 0.06) return { privacy: "unlisted" };
  if (chance < 0.08) return { privacy: "private" };
  return chance < 0.14 ? { promotion: true } : {};
}
