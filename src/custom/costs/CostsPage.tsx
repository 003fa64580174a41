import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, use, useState } from 'react'
import { LinkBase, useBasename, useDataProvider } from 'react-admin'
import { formatBytes, formatNumber } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import {
  Fact,
  FactList,
  type Heading,
  Loading,
  numbers,
  PageTitle,
  Panel,
  PlainTable,
} from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { daysUntil } from '../../domain/contract/contractTimes.ts'
import { SectionContext, usePageTitle } from '../../engine/define/page.tsx'
import { csvText, saveFile } from '../../engine/export/exportRows.ts'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { RetryAlert } from '../../engine/parts/ActionDialog.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { serverNow } from '../../live/serverClock.ts'
import { priceText } from '../../resources/server/contract/contractCells.tsx'
import { roles } from '../../schemas/define/access.ts'
import { type Costs, contractEndpoints, type PricedServer } from '../../schemas/endpoints/contractEndpoints.ts'
import { keptPeriods } from '../../schemas/endpoints/trafficEndpoints.ts'
import { ContractSettings } from './ContractSettings.tsx'

/** Milliseconds: prices change by the month, and sums are of all servers. */
const refreshInterval = 300_000
/** Rows of a table; the file has all servers. */
const maxRows = 50

/** What servers cost, by group, provider and month, and what ends next. */
export default function CostsPage() {
  const { translate } = useLanguage()
  const title = translate('app.shell.costs')
  usePageTitle(title)
  const section = use(SectionContext)
  const { identity } = useIdentity()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [period, setPeriod] = useState('0')
  const { data, error, refetch } = useQuery({
    queryKey: ['costs', period],
    queryFn: () => call(contractEndpoints.costs, { period }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshInterval,
  })
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <SectionTabs section={section} current="server-group/costs" />
      <div style={{ maxWidth: 960 }} aria-busy={!data && !error}>
        <PeriodSelect value={period} onChange={setPeriod} />
        {error ? <RetryAlert error={error} onRetry={refetch} sx={{ marginBottom: 2 }} /> : null}
        {!data && !error ? <Loading /> : null}
        {data ? <Sums costs={data} isPast={period !== '0'} /> : null}
        {data && identity?.role === roles.admin ? <ContractSettings costs={data} /> : null}
      </div>
    </>
  )
}

/** Months of the calendar, which are those of UTC: 'November 2026'. */
const monthFormat = (locale: string) =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Which period the sums are of: the present one, or that which began so many months ago. */
function PeriodSelect({ value, onChange }: { value: string; onChange: (period: string) => void }) {
  const { translate, locale } = useLanguage()
  const month = monthFormat(locale)
  const now = new Date(serverNow())
  const begins = Array.from({ length: keptPeriods }, (_, back) => ({
    back,
    at: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back),
  }))
  return (
    <NativeSelect
      value={value}
      sx={{ marginBottom: 2 }}
      input={<OutlinedInput size="small" notched={false} />}
      inputProps={{ 'aria-label': translate('app.contract.period') }}
      onChange={({ target }) => onChange(target.value)}
    >
      {begins.map(({ back, at }) => (
        <option key={back} value={back}>
          {month.format(at)}
        </option>
      ))}
    </NativeSelect>
  )
}

/** @param isPast whether they are of a period that is over: what falls due is of today */
function Sums({ costs, isPast }: { costs: Costs; isPast: boolean }) {
  const { translate, locale } = useLanguage()
  const { currency, total, groups, providers, months, servers, unconverted } = costs
  const money = (amount: number) => priceText(amount, currency, locale)
  const month = translate('resources.server.columns.monthly_price')
  const sumHeadings = [
    translate('resources.server.name', { smart_count: 2 }),
    month,
    translate('resources.server.columns.quota'),
  ].map(numbers)
  const cells = (sum: Costs['total']) => [
    formatNumber(sum.servers, locale),
    money(sum.month),
    formatBytes(sum.used, locale),
  ]
  const inMonth = monthFormat(locale)
  return (
    <>
      {unconverted.length > 0 ? (
        <Alert severity="warning" sx={{ marginBottom: 2 }}>
          {translate('app.costs.unconverted', { currencies: unconverted.map((one) => one.currency).join(', ') })}
        </Alert>
      ) : null}
      <Panel
        title={translate('app.costs.sum')}
        hint={servers.length === 0 ? translate('app.costs.empty') : undefined}
        action={
          <Button size="small" color="inherit" disabled={servers.length === 0} onClick={() => saveServers(costs)}>
            {translate('app.contract.save_days')}
          </Button>
        }
      >
        <FactList>
          <Fact name={month}>{money(total.month)}</Fact>
          <Fact name={translate('app.costs.year')}>{money(total.month * 12)}</Fact>
          <Fact name={translate('resources.server.columns.quota')}>{formatBytes(total.used, locale)}</Fact>
        </FactList>
      </Panel>
      {isPast ? null : <EndingContracts servers={servers} />}
      <Panel title={translate('app.costs.by_group')}>
        <Rows
          headings={[translate('resources.server-group.name', { smart_count: 1 }), ...sumHeadings]}
          rows={groups.map((sum) => ({
            key: sum.group_id,
            cells: [sum.group_id === 0 ? translate('app.costs.no_group') : sum.name, ...cells(sum)],
          }))}
        />
      </Panel>
      <Panel title={translate('app.costs.by_provider')}>
        <Rows
          headings={[translate('app.contract.fields.provider'), ...sumHeadings]}
          rows={providers.map((sum) => ({
            key: sum.provider,
            cells: [sum.provider || translate('app.costs.no_provider'), ...cells(sum)],
          }))}
        />
      </Panel>
      {isPast ? null : (
        <Panel title={translate('app.costs.due')} hint={translate('app.costs.due_hint')}>
          <Rows
            headings={[translate('app.costs.month'), numbers(translate('app.costs.amount'))]}
            rows={months.map((one) => ({
              key: one.month,
              cells: [inMonth.format(Date.parse(`${one.month}-01`)), money(one.due)],
            }))}
          />
        </Panel>
      )}
    </>
  )
}

function EndingContracts({ servers }: Pick<Costs, 'servers'>) {
  const { translate, locale } = useLanguage()
  const basename = useBasename()
  const ending = servers.filter(({ ends_at }) => ends_at !== undefined)
  if (ending.length === 0) return null
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const daysOf = (end: number) => {
    const days = daysUntil(end, serverNow())
    return days > 0 ? formatNumber(days, locale) : translate('app.contract.filters.ended')
  }
  return (
    <Panel title={translate('app.costs.ends')}>
      <Rows
        headings={[
          translate('resources.server.name', { smart_count: 1 }),
          translate('app.contract.fields.provider'),
          translate('app.contract.fields.ends_at'),
          numbers(translate('resources.server.columns.end_days')),
          numbers(translate('app.contract.fields.price')),
        ]}
        rows={ending.map(({ server_id, name, provider, ends_at = '', renews, price, currency }) => {
          const end = Date.parse(ends_at)
          return {
            key: server_id,
            cells: [
              <LinkBase key="name" to={`${basename}/server/${server_id}/overview`}>
                {name}
              </LinkBase>,
              provider,
              renews ? `${day.format(end)} (${translate('app.contract.fields.renews')})` : day.format(end),
              daysOf(end),
              price > 0 ? priceText(price, currency, locale) : '–',
            ],
          }
        })}
      />
    </Panel>
  )
}

interface RowsProps {
  headings: readonly Heading[]
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[]
}

/** The first rows of a table, and how many there are more. */
function Rows({ headings, rows }: RowsProps) {
  const { translate, locale } = useLanguage()
  const more = rows.length - maxRows
  return (
    <>
      <PlainTable headings={headings} rows={rows.slice(0, maxRows)} />
      {more > 0 ? <p>{translate('app.trouble.more', { count: formatNumber(more, locale) })}</p> : null}
    </>
  )
}

/** All servers with a price or an end as CSV; the price by month is in the currency of sums. */
function saveServers({ currency, servers }: Costs): void {
  const names = ['server', 'provider', 'price', 'currency', 'cycle', `month_${currency}`, 'ends_at', 'renews']
  const cells = ({ name, provider, price, month, ends_at = '', renews, ...row }: PricedServer) => [
    name,
    provider,
    String(price),
    row.currency,
    row.cycle,
    month === undefined ? '' : String(Math.round(month * 100) / 100),
    ends_at,
    String(renews),
  ]
  saveFile(csvText([names, ...servers.map(cells)]), 'costs.csv', 'text/csv;charset=utf-8')
}
