import type { Page } from '@playwright/test'

/** Slow 4G, as the browser's own tools have it: milliseconds of a round trip, and bytes per second. */
const network = { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }
/** How many times slower the processor is. */
const processor = 4

/** Slows network and processor of a page down, from its next request on. */
export async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...network })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: processor })
}
