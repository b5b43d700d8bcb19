/** A public list that is offered by name. Only its address is part of Greenroom; nothing is fetched before somebody asks. */
interface PublicList {
  /** Also the key of its description, `rules.lists.offer.about.…`. */
  readonly id: "phishing" | "words";
  readonly name: string;
  readonly url: string;
  /** Where it is maintained, with its licence. */
  readonly page: string;
  readonly licence: string;
}

const words = "LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words";
/** Of the languages that the list has, those that Greenroom speaks. */
const wordLanguages: readonly string[] = ["de", "en", "es", "fr", "ja"];

/** The lists, with words in the person's language. */
export function publicLists(locale: string): readonly PublicList[] {
  const [spoken = "en"] = locale.split("-");
  const language = wordLanguages.includes(spoken) ? spoken : "en";
  return [
    {
      id: "phishing",
      name: "Discord Phishing Links",
      url: "https://raw.githubusercontent.com/nikolaischunk/discord-phishing-links/main/domain-list.json",
      page: "https://github.com/nikolaischunk/discord-phishing-links",
      licence: "MIT",
    },
    {
      id: "words",
      name: `LDNOOBW (${language})`,
      url: `https://raw.githubusercontent.com/${words}/master/${language}`,
      page: `https://github.com/${words}`,
      licence: "CC BY 4.0",
    },
  ];
}
