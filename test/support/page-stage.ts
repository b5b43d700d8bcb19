import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openPageStage, type PageStage, visit } from "./page-visit.ts";

/**
 * One stage for the facts of a `describe`. Before each of them the platform and the page forget everything, `begin` takes
 * the stage and says what the platform has, and the owner opens the page. A fact fails where the page reports a fault.
 */
export function usePageStage(begin: (stage: PageStage) => void): void {
  let stage: PageStage;

  beforeAll(async () => {
    stage = await openPageStage();
  });
  beforeEach(async () => {
    const { platform, page, visitor } = stage;
    platform.reset();
    begin(stage);
    // There is nothing to forget, and no place for it, before the page is opened for the first time.
    await page.evaluate("sessionStorage.clear(), localStorage.clear()").catch(() => undefined);
    await visit(visitor, platform);
  });
  afterEach(() => {
    expect(stage.visitor.faults).toEqual([]);
  });
  afterAll(() => stage.close());
}
