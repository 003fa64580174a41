import type { Locator } from '@playwright/test'
import { expect } from './journey.ts'

/** Where something is on the page, as soon as it is drawn: what is drawn anew just then has no place for a moment. */
export async function boxOf(locator: Locator) {
  const found: { box?: Awaited<ReturnType<Locator['boundingBox']>> } = {}
  await expect(async () => {
    found.box = await locator.boundingBox()
    expect(found.box, `${locator} is not drawn.`).not.toBeNull()
  }).toPass()
  const { x, y, width, height } = found.box as NonNullable<typeof found.box>
  return { x, y, width, height, right: x + width, bottom: y + height }
}
