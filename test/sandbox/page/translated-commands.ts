import type { APIApplicationCommand } from "discord-api-types/v10";

/** Two commands and two menus with names in German and Japanese. */
export const translatedCommands = [
  {
    id: "c1",
    type: 1,
    name: "videos",
    description: "Videos",
    options: [
      {
        type: 1,
        name: "upload",
        name_localizations: { de: "hochladen", ja: "アップロード" },
        description: "Puts a video on the channel",
        description_localizations: { de: "Stellt ein Video auf den Kanal" },
        options: [
          {
            type: 3,
            name: "title",
            name_localizations: { de: "titel" },
            description: "Title of the playlist",
            description_localizations: { de: "Wie es heißt" },
            required: true,
          },
          {
            type: 3,
            name: "privacy",
            name_localizations: { de: "sichtbarkeit" },
            description: "Who sees it",
            choices: [
              { name: "Private", name_localizations: { de: "Privat" }, value: "private" },
              { name: "Public", name_localizations: { de: "Öffentlich" }, value: "public" },
            ],
          },
          {
            type: 3,
            name: "category",
            description: "Description of the playlist",
            autocomplete: true,
          },
        ],
      },
      { type: 1, name: "list", description: "Lists videos" },
    ],
  },
  {
    id: "c2",
    type: 3,
    name: "Add to playlist",
    name_localizations: { de: "Zur Playlist hinzufügen" },
  },
  { id: "c3", type: 3, name: "Remove background" },
] as unknown as readonly APIApplicationCommand[];
