import type { Locale } from '../../i18n/locales.ts'
import { readTexts } from '../texts.ts'
import { shortText } from '../wire/html.ts'

const pageTexts = readTexts('status')
const feedTexts = readTexts('feed')

export type BadgeState = 'up' | 'degraded' | 'down' | 'online' | 'offline' | 'maintenance' | 'paused' | 'unknown'

/** White letters stand on them with a contrast of at least 5.5:1. */
const colors: Record<BadgeState, string> = {
  up: '#18702f',
  degraded: '#8a5300',
  online: '#18702f',
  down: '#b42318',
  offline: '#b42318',
  maintenance: '#1f5fbf',
  paused: '#5c6570',
  unknown: '#5c6570',
}
const labelColor = '#3d4450'
/** Characters of a name. */
const maxName = 40

/**
 * An SVG with a name and a state, which is also its title for screen readers.
 * @param name left out for what does not exist or is hidden: nobody can tell these apart
 */
export async function badge(
  kind: 'service' | 'server',
  name: string | undefined,
  state: BadgeState,
  locale: Locale,
): Promise<string> {
  const label = shortText(name ?? '', maxName) || feedTexts[locale].badge[kind]
  const message = state === 'unknown' ? feedTexts[locale].badge.unknown : pageTexts[locale][state]
  // Only now: its table of letter widths has a megabyte.
  const { makeBadge } = await import('badge-maker')
  return makeBadge({ label, message, color: colors[state], labelColor, style: 'flat' })
}
