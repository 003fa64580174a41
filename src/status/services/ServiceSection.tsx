/** @jsxImportSource preact */
import { fillText } from '../../../i18n/fillText.ts'
import type { PublicStatus } from '../../schemas/status/publicStatus.ts'
import { useLanguage } from '../parts/language.ts'
import { StateLabel } from '../parts/StateLabel.tsx'
import { shortTime } from '../texts/shortTime.ts'
import { AvailabilityBars } from './AvailabilityBars.tsx'

/** All services with their state, latency and availability. */
export function ServiceSection({ status }: { status: PublicStatus }) {
  const { texts } = useLanguage()
  if (status.services.length === 0) return null
  return (
    <section class="panel" aria-labelledby="services">
      <h2 id="services">{texts.services}</h2>
      <ul class="services">
        {status.services.map((service) => (
          <li key={service.id}>
            <div class="row">
              <h3>{service.name}</h3>
              <Latency latency={status.states[service.id]?.latency} />
              <ServiceState id={service.id} status={status} />
            </div>
            <AvailabilityBars service={service} today={status.today} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Latency({ latency }: { latency?: number }) {
  const { texts, locale } = useLanguage()
  if (latency === undefined) return null
  const value = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' }).format(latency)
  return (
    <span class="latency quiet">
      {texts.latency} {value}
    </span>
  )
}

function ServiceState({ id, status }: { id: number; status: PublicStatus }) {
  const { texts, locale } = useLanguage()
  const { state, since } = status.states[id] ?? {}
  if (status.windows.some(({ services }) => services.includes(id))) {
    return <StateLabel kind="maintenance">{texts.maintenance}</StateLabel>
  }
  if (!state) return <StateLabel kind="unknown">{texts.notChecked}</StateLabel>
  if (state === 'up') return <StateLabel kind="good">{texts.up}</StateLabel>
  return (
    <StateLabel kind="danger">
      {texts.down} {since && fillText(texts.downSince, { time: shortTime(Date.parse(since), status.now, locale) })}
    </StateLabel>
  )
}
