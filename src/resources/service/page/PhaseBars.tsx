import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { lineColours } from '../../../components/charts/plot/lineStyle.ts'
import { beginOfPeriod, type ChartPeriod } from '../../../components/charts/useHistory.ts'
import { formatDateTime, formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Panel } from '../../../components/Panel.tsx'
import type { Scheme } from '../../../components/theme/tokens.ts'
import { type PhaseSlot, partNames, phaseSlots } from './phaseSlots.ts'
import type { ServiceHistory } from './useServiceHistory.ts'

/** The parts of a check in their order; `rest` is what passes after the first byte. */
const parts = [...partNames, 'rest'] as const
type Part = (typeof parts)[number]

/** Milliseconds that a point of a period stands for, at most. */
const shortestSlots: Readonly<Record<ChartPeriod, number>> = {
  '1h': 60_000,
  '1d': 300_000,
  '7d': 3_600_000,
  '30d': 21_600_000,
  '365d': 86_400_000,
}

interface PhaseBarsProps {
  servers: NonNullable<ServiceHistory['data']>['servers']
  period: ChartPeriod
  /** Where the period ends, in milliseconds since 1970. */
  at: number
}

/** What took how long in the checks of a machine: a bar for each slot of the period, with the parts on each other. */
export function PhaseBars({ servers, period, at }: PhaseBarsProps) {
  const { translate, locale } = useLanguage()
  const machines = servers.filter(({ stats }) => stats.data_points.some(({ phases }) => phases))
  const [chosen, setChosen] = useState<number>()
  const machine = machines.find(({ server_id }) => server_id === chosen) ?? machines[0]
  if (!machine) return null
  const range = { from: beginOfPeriod(period, at), until: at, shortest: shortestSlots[period] }
  const slots = phaseSlots(machine.stats.data_points, range)
  const most = Math.max(1, ...slots.map(({ whole }) => whole))
  const ms = (value: number) => `${formatNumber(Math.round(value * 10) / 10, locale)} ms`
  const nameOf = (part: Part) => translate(part === 'rest' ? 'app.checks.phases_rest' : `app.checks.phases.${part}`)
  return (
    <Panel title={translate('app.checks.phases_title')}>
      <Bars>
        {machines.length > 1 ? (
          <NativeSelect
            value={machine.server_id}
            input={<OutlinedInput size="small" notched={false} />}
            inputProps={{ 'aria-label': translate('app.checks.phases_from') }}
            onChange={({ target }) => setChosen(Number(target.value))}
          >
            {machines.map(({ server_id, server_name }) => (
              <option key={server_id} value={server_id}>
                {server_name || `#${server_id}`}
              </option>
            ))}
          </NativeSelect>
        ) : null}
        <ol>
          {slots.map((slot) => {
            const values = partsOf(slot)
            if (values.length === 0 && !slot.hasFailed) return <li key={slot.from} aria-hidden="true" />
            const text = [
              formatDateTime(slot.from, locale),
              ...(slot.hasFailed ? [translate('app.checks.states.down')] : []),
              ...values.map(({ part, value }) => `${nameOf(part)} ${ms(value)}`),
            ].join(' · ')
            return (
              <li key={slot.from} title={text} data-up={!slot.hasFailed}>
                <span className="visually-hidden">{text}</span>
                {values.map(({ part, value }) => (
                  <i key={part} data-part={part} style={{ height: `${(100 * value) / most}%` }} />
                ))}
              </li>
            )
          })}
        </ol>
        <footer aria-hidden="true">
          {parts.map((part) => (
            <span key={part}>
              <i data-part={part} />
              {nameOf(part)}
            </span>
          ))}
          <span>{ms(most)}</span>
        </footer>
      </Bars>
    </Panel>
  )
}

/** The parts of a slot, the last one as what is left of the whole. */
function partsOf({ phases, whole }: PhaseSlot): { part: Part; value: number }[] {
  const known = partNames.flatMap((part) => {
    const value = phases[part]
    return value === undefined ? [] : [{ part, value }]
  })
  const rest = whole - known.reduce((sum, { value }) => sum + value, 0)
  return rest > 0 ? [...known, { part: 'rest' as const, value: rest }] : known
}

/** Each part has the colour of a line of the charts. */
const coloursOf = (scheme: Scheme) =>
  Object.fromEntries(
    parts.map((part, index) => [`& [data-part=${part}]`, { background: lineColours[scheme][parts.length - index] }]),
  )

const Bars = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  '& ol': { display: 'flex', alignItems: 'stretch', gap: 1, height: 96, margin: 0, padding: 0, listStyle: 'none' },
  '& li': {
    forcedColorAdjust: 'none',
    display: 'flex',
    flexDirection: 'column-reverse',
    flex: 1,
    minWidth: 2,
    maxWidth: 16,
    borderRadius: 2,
    overflow: 'hidden',
    background: theme.vars.palette.track,
  },
  '& li[data-up=false]': { boxShadow: `inset 0 -4px 0 ${theme.vars.palette.error.main}` },
  '& footer': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5, 2), fontSize: 12 },
  '& footer > span:last-of-type': { marginLeft: 'auto', color: theme.vars.palette.text.secondary },
  '& footer i': { display: 'inline-block', width: 10, height: 10, borderRadius: 2, marginRight: theme.spacing(0.75) },
  ...coloursOf('light'),
  ...theme.applyStyles('dark', coloursOf('dark')),
}))
