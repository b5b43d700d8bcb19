import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { openPageStage, type PageStage, visit } from "./page-visit.ts";

/**
 * Shares one page and one fake Discord among the tests of a `describe`. Before each test both are reset, `begin` sets
 * what Discord has, and the owner opens the page. A test fails if the page reports an error.
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
    // Before the page is opened for the first time, there is no storage to clear.
    await page.evaluate("sessionStorage.clear(), localStorage.clear()").catch(() => undefined);
    await visit(visitor, platform);
  });
  afterEach(() => {
    expect(stage.visitor.faults).toEqual([]);
  });
  afterAll(() => stage.close());
}
