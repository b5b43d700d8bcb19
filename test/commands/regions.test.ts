import { describe, expect, it } from "vitest";
import { fetchBytes, isEphemeral, textOf } from "../support/stage.ts";
import { expectText, useStage } from "../support/use-stage.ts";

describe("/regions", () => {
  const { member } = useStage();
  const { run, click } = member;

  it("lists countries for everybody, fifteen a page, with what it cost", async () => {
    const first = await run("regions list");
    const second = await click(first, "Next");

    expect(isEphemeral(first)).toBe(false);
    expect(textOf(first).match(/ · [A-Z]{2}\*\*/gu)).toHaveLength(15);
    expect(textOf(first)).toContain("1 unit");
    expect(textOf(second)).toContain("Page 2");
    expect(textOf(second)).not.toContain(textOf(first).split("\n")[1]);
  });

  it("keeps entries that contain the filter, by name or by code", async () => {
    expect(textOf(await run("regions list", { filter: "GERM" }))).toContain("Germany · DE");
    expect(textOf(await run("regions list", { filter: "jp" }))).toContain("Japan · JP");
    expectText(await run("regions languages", { filter: "portug" }), /Portuguese.* · pt/u);
  });

  it("finds names in other languages than the reader's", async () => {
    member.speak("ja");
    const germany = textOf(await run("regions list", { filter: "Germany" }));
    const uk = textOf(await run("regions list", { filter: "uk" }));
    const french = textOf(await run("regions languages", { filter: "french" }));
    member.speak("en-US");
    const swiss = textOf(await run("regions list", { filter: "Schweiz" }));

    expect(germany).toContain("ドイツ · DE");
    expect(uk).toContain("イギリス · GB");
    expect(french).toContain("フランス語 · fr");
    expect(swiss).toContain("Switzerland · CH");
  });

  it.each([
    ["brasileiro", "pt-BR"],
    ["castellano", "es"],
    ["allemand", "de"],
  ])("suggests the language for %s", async (typed, code) => {
    const [first] = await member.suggest("search", "language", typed);

    expect(first?.value).toBe(code);
  });

  it("says so when nothing has that name", async () => {
    expectText(await run("regions list", { filter: "🏝️ Atlantis" }), "Nothing here has that name");
  });

  it("names countries and languages in the person's language", async () => {
    member.speak("ja");
    const countries = textOf(await run("regions list", { filter: "日本" }));
    member.speak("de");
    const languages = textOf(await run("regions languages", { filter: "franz" }));

    expect(countries).toContain("日本 · JP");
    expect(languages).toContain("Sprachen");
    expect(languages).toContain("Französisch · fr");
  });

  it.each([
    ["en-US", "regions languages", "filter", "portug", "Portuguese (Portugal) · pt-PT"],
    ["en-US", "regions list", "filter", "hong", "Hong Kong · HK"],
    ["de", "regionen sprachen", "filter", "portug", "Portugiesisch (Portugal) · pt-PT"],
    ["es-ES", "regiones idiomas", "filtro", "portug", "portugués (Portugal) · pt-PT"],
    ["fr", "régions langues", "filtre", "portug", "portugais (Portugal) · pt-PT"],
    ["ja", "地域 言語", "絞り込み", "ポルトガル", "ポルトガル語 (ポルトガル) · pt-PT"],
  ] as const)(
    "calls them what the service calls them (%s %s)",
    async (tag, path, option, filter, line) => {
      member.speak(tag);
      const text = textOf(await run(path, { [option]: filter }));

      expect(text).toContain(line);
    },
  );

  it("gives the filtered list as a file for tables", async () => {
    const answer = await run("regions list", { filter: "germany", output: "csv" });
    const file = (await fetchBytes(answer.attachments[0]?.url ?? "")).toString("utf8");

    expect(answer.attachments[0]?.filename).toBe("i18n-regions-list.csv");
    expect(file).toBe('\ufeffid,name\n"DE","Germany"\n');
  });

  it("gives the service's answer as it came", async () => {
    const answer = await run("regions languages", { output: "raw" });
    const file = JSON.parse((await fetchBytes(answer.attachments[0]?.url ?? "")).toString("utf8"));

    expect(file.kind).toMatch(/i18nLanguageListResponse$/u);
  });
});
