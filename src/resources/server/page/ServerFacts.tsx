import { useTranslate } from 'react-admin'
import { formatBytes, formatDateTime } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Copied, Fact, FactList } from '../../../components/overview/FactList.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { addressesOf, metricsOf, type ServerRow } from '../../../components/serverMetrics.ts'
import { useLive } from '../../../live/store.ts'

/** What the machine is: its system, hardware, addresses and agent. */
export function ServerFacts({ server }: { server: ServerRow & { owner?: { id: number; username?: string } } }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  // Machines report these once: they do not change with every frame.
  const live = useLive(Number(server.id), (entry) => entry?.host)
  const host = live ?? metricsOf(server).host
  const size = (bytes: number | undefined) => (bytes ? formatBytes(bytes, locale) : undefined)
  const addresses = addressesOf(server)
  const timeOf = (moment: string) => formatDateTime(Date.parse(moment), locale)
  const { jumps = 0, values = 0, jumped_at } = server.left_out ?? {}
  const leftOut = [
    ...(jumped_at ? [translate('app.overview.jumps_left_out', { smart_count: jumps, at: timeOf(jumped_at) })] : []),
    ...(values > 0 ? [translate('app.overview.values_left_out', { smart_count: values })] : []),
  ]
  const country = countryName(server.geoip?.country_code, locale)
  return (
    <Panel title={translate('app.overview.machine')}>
      <FactList>
        <Fact name={translate('app.overview.system')}>
          {[host.platform, host.platform_version].filter(Boolean).join(' ')}
        </Fact>
        <Fact name={translate('app.overview.kind')}>
          {[host.virtualization, host.arch].filter(Boolean).join(' · ')}
        </Fact>
        <Fact name={translate('resources.server.columns.cpu')}>{(host.cpu ?? []).join('\n')}</Fact>
        <Fact name={translate('app.charts.metrics.gpu')}>{(host.gpu ?? []).join('\n')}</Fact>
        <Fact name={translate('resources.server.columns.memory')}>{size(host.mem_total)}</Fact>
        <Fact name={translate('resources.server.columns.swap')}>{size(host.swap_total)}</Fact>
        <Fact name={translate('resources.server.columns.disk')}>{size(host.disk_total)}</Fact>
        <Fact name={translate('app.overview.booted')}>
          {host.boot_time ? formatDateTime(host.boot_time * 1000, locale) : undefined}
        </Fact>
        <Fact name={translate('resources.server.fields.left_out')}>{leftOut.join('\n')}</Fact>
        <Fact name={translate('app.overview.addresses')}>
          {addresses.length > 0
            ? addresses.map((address) => <Copied key={address} text={address} name={address} />)
            : undefined}
        </Fact>
        <Fact name={translate('app.overview.country')}>{country}</Fact>
        <Fact name={translate('resources.server.fields.host_version')}>{host.version}</Fact>
        <Fact name={translate('app.overview.owner')}>{server.owner?.username}</Fact>
        <Fact name="UUID">{server.uuid ? <Copied text={server.uuid} name="UUID" /> : undefined}</Fact>
      </FactList>
    </Panel>
  )
}

/** 'nl' is 'Netherlands'; an unknown code stays as it is. */
function countryName(code: string | undefined, locale: string): string | undefined {
  if (!code) return undefined
  try {
    return new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(code.toUpperCase())
  } catch {
    return code
  }
}
