import type { Translated } from "./languages.ts";

/** Categories by id; only the assignable ones can be set on a video. */
export interface Category {
  readonly id: string;
  readonly title: Translated;
  readonly isAssignable: boolean;
}

const assignable: Readonly<Record<string, Translated>> = {
  "1": [
    "Film & Animation",
    "Film & Animation",
    "Cine y animación",
    "Films et animations",
    "映画とアニメ",
  ],
  "2": ["Autos & Vehicles", "Autos & Fahrzeuge", "Motor", "Auto/Moto", "自動車と乗り物"],
  "10": ["Music", "Musik", "Música", "Musique", "音楽"],
  "15": ["Pets & Animals", "Tiere", "Mascotas y animales", "Animaux", "ペットと動物"],
  "17": ["Sports", "Sport", "Deportes", "Sport", "スポーツ"],
  "19": [
    "Travel & Events",
    "Reisen & Events",
    "Viajes y eventos",
    "Voyages et événements",
    "旅行とイベント",
  ],
  "20": ["Gaming", "Gaming", "Videojuegos", "Jeux vidéo", "ゲーム"],
  "22": ["People & Blogs", "Menschen & Blogs", "Gente y blogs", "People et blogs", "ブログ"],
  "23": ["Comedy", "Comedy", "Comedia", "Humour", "コメディー"],
  "24": [
    "Entertainment",
    "Unterhaltung",
    "Entretenimiento",
    "Divertissement",
    "エンターテイメント",
  ],
  "25": [
    "News & Politics",
    "Nachrichten & Politik",
    "Noticias y política",
    "Actualités et politique",
    "ニュースと政治",
  ],
  "26": [
    "Howto & Style",
    "Praktische Tipps & Styling",
    "Consejos y estilo",
    "Vie pratique et style",
    "ハウツーとスタイル",
  ],
  "27": ["Education", "Bildung", "Formación", "Éducation", "教育"],
  "28": [
    "Science & Technology",
    "Wissenschaft & Technik",
    "Ciencia y tecnología",
    "Science et technologie",
    "科学と技術",
  ],
  "29": [
    "Nonprofits & Activism",
    "Soziales Engagement",
    "ONG y activismo",
    "Organismes à but non lucratif",
    "非営利団体と社会活動",
  ],
};

const closed: Readonly<Record<string, Translated>> = {
  "18": ["Short Movies", "Kurzfilme", "Cortometrajes", "Courts métrages", "ショート ムービー"],
  "21": ["Videoblogging", "Videoblogging", "Videoblogs", "Blogs vidéo", "動画ブログ"],
  "30": ["Movies", "Filme", "Películas", "Films", "映画"],
  "31": ["Anime/Animation", "Anime/Animation", "Anime/Animación", "Anime/Animation", "アニメ"],
  "32": [
    "Action/Adventure",
    "Action/Abenteuer",
    "Acción/Aventura",
    "Action/Aventure",
    "アクション、アドベンチャー",
  ],
  "33": ["Classics", "Klassiker", "Clásicos", "Classiques", "クラシック"],
  "35": ["Documentary", "Dokumentationen", "Documental", "Documentaires", "ドキュメンタリー"],
  "42": ["Shorts", "Shorts", "Shorts", "Shorts", "ショート"],
  "43": ["Shows", "Serien", "Programas", "Émissions", "番組"],
  "44": ["Trailers", "Trailer", "Tráileres", "Bandes-annonces", "予告編"],
};

export const sampleCategories: readonly Category[] = [
  ...Object.entries(assignable).map(([id, title]) => ({ id, title, isAssignable: true })),
  ...Object.entries(closed).map(([id, title]) => ({ id, title, isAssignable: false })),
].sort((a, b) => Number(a.id) - Number(b.id));

/** Owner of the categories themselves. */
export const categoryChannelId = "UCBR8-60-B28hp2BmDPdntcQ";
