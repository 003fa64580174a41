import type { Page } from '@playwright/test'

/**
 * Goes to an address as the links of the console do, without loading the page anew, which takes most of the time of a
 * journey through many screens. What is looked at afterwards must not have been on the screen before.
 */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({ idx: (history.state?.idx ?? 0) + 1 }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, path)
}
