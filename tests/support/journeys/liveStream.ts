import type { Page } from '@playwright/test'

/**
 * Opens a page and waits for its live stream. That is a public route: opened after the end of the session, it would count
 * as an attack and have the address blocked.
 */
export async function openWithStream(page: Page, path: string): Promise<void> {
  const stream = page.waitForEvent('websocket')
  await page.goto(path)
  const socket = await stream
  await socket.waitForEvent('framereceived')
}
