/** @jsxImportSource preact */
import { fillText } from '../../i18n/fillText.ts'
import type { PublicStatus } from '../schemas/status/publicStatus.ts'
import { useLanguage } from './parts/language.ts'
import { shortTime } from './texts/shortTime.ts'

/** Names of one window that are shown. */
const maxNames = 10

/** The maintenance windows that are open, and what they are about. */
export function Maintenance({ status }: { status: PublicStatus }) {
  const { texts, locale } = useLanguage()
  if (status.windows.length === 0) return null
  return (
    <section class="panel maintenance" aria-labelledby="maintenance">
      <h2 id="maintenance">{texts.maintenance}</h2>
      <ul>
        {status.windows.map(({ name, until, servers, services }) => {
          const names = [...namesOf(status.services, services), ...namesOf(status.servers, servers)]
          const more = names.length - maxNames
          return (
            <li key={name}>
              <strong>{name}</strong>{' '}
              {fillText(texts.maintenanceUntil, { time: shortTime(Date.parse(until), status.now, locale) })}
              <div class="quiet">
                {names.slice(0, maxNames).join(', ')} {more > 0 && fillText(texts.andMore, { count: more })}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const namesOf = (records: readonly { id: number; name: string }[], ids: readonly number[]): string[] =>
  records.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
