import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { Loading, PageTitle, Panel, PlainTable } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { SectionContext, usePageTitle } from '../../engine/define/page.tsx'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { RetryAlert } from '../../engine/parts/ActionDialog.tsx'
import { type ClusterNodes, clusterEndpoints } from '../../schemas/endpoints/clusterEndpoints.ts'

/** Milliseconds between two looks. */
const refreshMs = 5_000

/** The servers that share a database: which of them leads, and who did before. */
export default function ClusterPage() {
  const translate = useTranslate()
  const title = translate('app.shell.cluster')
  usePageTitle(title)
  const section = use(SectionContext)
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error, refetch } = useQuery({
    queryKey: ['cluster'],
    queryFn: () => call(clusterEndpoints.cluster),
    refetchInterval: refreshMs,
  })
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <SectionTabs section={section} current="settings/cluster" />
      <div style={{ maxWidth: 960 }} aria-busy={!data && !error}>
        {error ? <RetryAlert error={error} onRetry={refetch} /> : null}
        {!data && !error ? <Loading /> : null}
        {data ? <Nodes nodes={data.nodes} /> : null}
        {data ? <Changes changes={data.changes} /> : null}
      </div>
    </>
  )
}

function Nodes({ nodes }: Pick<ClusterNodes, 'nodes'>) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const headings = ['address', 'role', 'version', 'since', 'lag'].map((name) => translate(`app.cluster.${name}`))
  const rows = nodes.map(({ id, address, leader, version, since, lag }) => ({
    key: id,
    cells: [
      address,
      translate(leader ? 'app.cluster.leader' : 'app.cluster.follower'),
      version,
      <time key="since" dateTime={since}>
        {formatDateTime(Date.parse(since), locale)}
      </time>,
      new Intl.NumberFormat(locale).format(lag),
    ],
  }))
  return (
    <Panel title={translate('app.cluster.nodes')} hint={translate('app.cluster.nodes_hint')}>
      <PlainTable headings={headings} rows={rows} />
    </Panel>
  )
}

function Changes({ changes }: Pick<ClusterNodes, 'changes'>) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const headings = ['at', 'address', 'term'].map((name) => translate(`app.cluster.${name}`))
  const rows = changes.map(({ term, at, address }) => ({
    key: term,
    cells: [
      <time key="at" dateTime={at}>
        {formatDateTime(Date.parse(at), locale)}
      </time>,
      address,
      term,
    ],
  }))
  return (
    <Panel title={translate('app.cluster.changes')} hint={translate('app.cluster.changes_hint')}>
      <PlainTable headings={headings} rows={rows} />
    </Panel>
  )
}
