import Button from '@mui/material/Button'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { formatBytes, formatDateTime } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Fact, FactList, Panel } from '../../../components/Panel.tsx'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { useSetting } from '../../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { contractEnd, pricePerMonth } from '../../../domain/contract/contractTimes.ts'
import { formerPricesOf } from '../../../domain/contract/formerPrices.ts'
import { readBytes } from '../../../domain/contract/readBytes.ts'
import { saveFile } from '../../../engine/export/exportRows.ts'
import { describedBy, FieldFrame } from '../../../engine/kinds/parts/kind.tsx'
import { useToast } from '../../../engine/parts/ActionDialog.tsx'
import { serverNow } from '../../../live/serverClock.ts'
import { isReadOnly } from '../../../schemas/define/access.ts'
import { contractEndpoints } from '../../../schemas/endpoints/contractEndpoints.ts'
import { type ServerTraffic as Traffic, trafficEndpoints } from '../../../schemas/endpoints/trafficEndpoints.ts'
import { Days, priceText, QuotaBar } from './contractCells.tsx'
import { FormerPrices } from './FormerPrices.tsx'

/** Milliseconds. */
const refreshInterval = 60_000

/** What a server has transferred in a period, day by day, and what its contract says; for its owner. */
export function ServerTraffic({ server }: { server: ServerRow }) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { translate, locale } = useLanguage()
  const [index, setIndex] = useState('0')
  const isCounted = useSetting()?.wheelhouse?.contracts === true && !isReadOnly(server)
  const { data: traffic } = useQuery({
    queryKey: ['server', 'traffic', server.id, index],
    queryFn: () => call(trafficEndpoints.serverTraffic, { id: Number(server.id), period: index }),
    enabled: isCounted,
    refetchInterval: refreshInterval,
  })
  if (!isCounted || !traffic) return null
  const { contract } = server
  const end = contract ? contractEnd(contract, serverNow()) : undefined
  const price = contract ? pricePerMonth(contract) : undefined
  const day = (moment: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(Date.parse(moment))
  const bytes = (value: number) => formatBytes(value, locale)
  const last = traffic.jumps.at(-1)
  return (
    <Panel
      title={translate('resources.server.columns.quota')}
      action={
        <Button size="small" color="inherit" onClick={() => saveDays(traffic)}>
          {translate('app.contract.save_days')}
        </Button>
      }
    >
      <NativeSelect
        fullWidth
        value={index}
        input={<OutlinedInput size="small" notched={false} />}
        inputProps={{ 'aria-label': translate('app.contract.period') }}
        onChange={({ target }) => setIndex(target.value)}
      >
        {traffic.periods.map(({ from, to, used }, number) => (
          <option key={from} value={number}>
            {`${day(from)} – ${day(new Date(Date.parse(to) - 1).toISOString())}: ${bytes(used)}`}
          </option>
        ))}
      </NativeSelect>
      <DayBars days={traffic.days} />
      <FactList>
        {traffic.quota_bytes > 0 ? (
          <Fact name={translate('app.contract.of_quota')}>
            <QuotaBar traffic={traffic} />
          </Fact>
        ) : null}
        <Fact name={translate('resources.server.values.download')}>{bytes(traffic.received)}</Fact>
        <Fact name={translate('resources.server.values.upload')}>{bytes(traffic.sent)}</Fact>
        <Fact name={translate('resources.server.columns.forecast')}>
          {traffic.forecast === undefined ? undefined : bytes(traffic.forecast)}
        </Fact>
        <Fact name={translate('app.contract.left_out')}>
          {last === undefined
            ? undefined
            : translate('app.overview.jumps_left_out', {
                smart_count: traffic.jumps.length,
                at: formatDateTime(Date.parse(last), locale),
              })}
        </Fact>
        <Fact name={translate('app.contract.corrected')}>
          {traffic.correction ? correctionText(traffic.correction, locale) : undefined}
        </Fact>
        {index === '0' ? (
          <Fact name={translate('resources.server.columns.reset_days')}>
            <Days at={Date.parse(traffic.to)} />
          </Fact>
        ) : null}
        <Fact name={translate('resources.server.columns.end_days')}>
          {end === undefined ? undefined : <Days at={end} />}
        </Fact>
        <Fact name={translate('resources.server.columns.monthly_price')}>
          {price === undefined ? undefined : priceText(price, contract?.currency ?? '', locale)}
        </Fact>
        <Fact name={translate('app.contract.fields.provider')}>{contract?.provider}</Fact>
      </FactList>
      <FormerPrices prices={formerPricesOf(contract)} />
      {index === '0' ? <TrafficCorrection traffic={traffic} /> : null}
    </Panel>
  )
}

/** `+12 GiB, admin, 21 Nov 2026, 10:00`. */
function correctionText({ difference, by, at }: NonNullable<Traffic['correction']>, locale: string): string {
  const bytes = `${difference < 0 ? '−' : '+'}${formatBytes(Math.abs(difference), locale)}`
  return [bytes, by, formatDateTime(Date.parse(at), locale)].filter(Boolean).join(', ')
}

/** A bar for each day that anything is known of, received above sent. */
function DayBars({ days }: Pick<Traffic, 'days'>) {
  const { translate, locale } = useLanguage()
  const most = Math.max(1, ...days.map(({ received, sent }) => received + sent))
  const height = (bytes: number) => ({ height: `${(bytes / most) * 100}%` })
  return (
    <Bars aria-label={translate('app.contract.by_day')}>
      {days.map(({ day, received, sent }) => {
        const words = [
          `${translate('resources.server.values.download')}: ${formatBytes(received, locale)}`,
          `${translate('resources.server.values.upload')}: ${formatBytes(sent, locale)}`,
        ]
        const label = [day, ...words].join('\n')
        return (
          <li key={day} title={label} aria-label={label}>
            <span data-direction="received" style={height(received)} />
            <span data-direction="sent" style={height(sent)} />
          </li>
        )
      })}
    </Bars>
  )
}

/** The days of a period as CSV, in bytes. */
function saveDays({ name, from, days }: Traffic): void {
  const lines = ['day,received,sent', ...days.map(({ day, received, sent }) => `${day},${received},${sent}`)]
  saveFile(`${lines.join('\r\n')}\r\n`, `${name} ${from.slice(0, 10)}.csv`, 'text/csv;charset=utf-8')
}

const Bars = styled('ul')(({ theme }) => ({
  display: 'flex',
  alignItems: 'flex-end',
  gap: 2,
  height: 72,
  margin: theme.spacing(1.5, 0),
  padding: 0,
  listStyle: 'none',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& li': {
    flex: '1 1 0',
    maxWidth: 16,
    height: '100%',
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'flex-end',
  },
  '& span': { display: 'block', background: theme.vars.palette.primary.main },
  '& span[data-direction=sent]': { opacity: 0.5 },
}))

/** Takes what the provider has counted so far in the present period, and takes such a correction back. */
function TrafficCorrection({ traffic }: { traffic: Traffic }) {
  const translate = useTranslate()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const { showError } = useToast()
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const used = readBytes(typed ?? '')

  /** @param bytes `null` takes the latest correction back */
  async function correct(bytes: number | null): Promise<void> {
    setSaving(true)
    try {
      await dataProvider.call(contractEndpoints.correctTraffic, { id: traffic.server_id, used: bytes })
      setTyped(undefined)
      await queryClient.invalidateQueries({ queryKey: ['server', 'traffic'] })
    } catch (error) {
      showError(error)
    }
    setSaving(false)
  }

  function save(event: FormEvent): void {
    event.preventDefault()
    if (used !== undefined) void correct(used)
  }

  const button = { size: 'small', color: 'inherit', variant: 'outlined', disabled: isSaving } as const
  if (typed === undefined) {
    return (
      <div style={{ display: 'flex', gap: 8, marginTop: 12 }}>
        <Button {...button} onClick={() => setTyped('')}>
          {translate('app.contract.correct')}
        </Button>
        {traffic.correction ? (
          <Button {...button} onClick={() => void correct(null)}>
            {translate('app.contract.take_back')}
          </Button>
        ) : null}
      </div>
    )
  }
  return (
    <form noValidate onSubmit={save} style={{ display: 'grid', gap: 8, marginTop: 12, maxWidth: 360 }}>
      <FieldFrame id={id} label={translate('app.contract.provider_shows')} required>
        <OutlinedInput
          id={id}
          size="small"
          autoFocus
          value={typed}
          placeholder="120 GB"
          onChange={({ target }) => setTyped(target.value)}
          slotProps={{ input: { maxLength: 40, 'aria-describedby': describedBy(id) } }}
        />
      </FieldFrame>
      <div style={{ display: 'flex', gap: 8 }}>
        <Button type="submit" size="small" variant="contained" disabled={used === undefined || isSaving}>
          {translate('ra.action.save')}
        </Button>
        <Button {...button} onClick={() => setTyped(undefined)}>
          {translate('ra.action.cancel')}
        </Button>
      </div>
    </form>
  )
}
