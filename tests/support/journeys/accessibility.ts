import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

const widths = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

/** One change from each to the next: every change draws the whole page anew. */
const looks = [
  ['desk', 'light'],
  ['desk', 'dark'],
  ['phone', 'dark'],
  ['phone', 'light'],
] as const

/**
 * Looks at what is on the page with axe, at both widths and in both themes. Themes differ in colours only, so in dark
 * the contrast is what is looked at; with a dialog open, that of the dialog: what it covers is looked at without it.
 * @param what names the page in the findings
 * @returns the serious and critical findings, one line each
 */
export async function accessibilityFindings(page: Page, what: string): Promise<string[]> {
  const findings: string[] = []
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize(widths[width])
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    const violations = await (colorScheme === 'dark'
      ? runAxe(page, ['color-contrast', 'link-in-text-block'], '[aria-modal=true]')
      : runAxe(page))
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue
      const where = nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`)
      findings.push(`${what}, ${width}, ${colorScheme}: ${id} at ${where.join('; ')}`)
    }
  }
  await page.setViewportSize(widths.desk)
  return findings
}

/**
 * What axe finds by these rules, or by all, on the page as it is. Only failures are described: the rest takes most of
 * the time.
 * @param within a selector: where something matches, only there
 */
export async function runAxe(page: Page, rules?: string[], within = 'html') {
  // Once for each page: to load it takes as long as to run it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const options: RunOptions = { resultTypes: ['violations'], iframes: false }
  if (rules) options.runOnly = { type: 'rule', values: rules }
  return page.evaluate(
    async ({ options, within }) => {
      const parts = [...document.querySelectorAll(within)]
      const place = parts.length > 0 ? { include: parts } : document
      return (await (window as unknown as { axe: typeof axe }).axe.run(place, options)).violations
    },
    { options, within },
  )
}

/** Waits until nothing moves: half-faded text has half its contrast. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  })
