import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const widths = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

/**
 * Looks at what is on the page with axe, at both widths and in both themes. Themes differ in colours only, so in dark
 * the contrast is what is looked at.
 * @param what names the page in the findings
 * @returns the serious and critical findings, one line each
 */
export async function accessibilityFindings(page: Page, what: string): Promise<string[]> {
  const findings: string[] = []
  for (const [width, size] of Object.entries(widths)) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settled(page)
      // The newer mode opens a page of its own for what frames tell; there are no frames here.
      const axe = new AxeBuilder({ page }).setLegacyMode(true)
      if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
      const { violations } = await axe.analyze()
      for (const { id, impact, nodes } of violations) {
        if (impact !== 'serious' && impact !== 'critical') continue
        const where = nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`)
        findings.push(`${what}, ${width}, ${colorScheme}: ${id} at ${where.join('; ')}`)
      }
    }
  }
  await page.setViewportSize(widths.desk)
  return findings
}

/** Waits until nothing moves: half-faded text has half its contrast. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
  })
