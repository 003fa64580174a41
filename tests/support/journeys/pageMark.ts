import type { Page } from '@playwright/test'

/** Marks a page; the mark is gone once the page was loaded anew. */
export const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { isSamePage: true }))
/** Whether a page still has its mark. */
export const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window)
