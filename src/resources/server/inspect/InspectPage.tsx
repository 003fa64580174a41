import { Suspense } from 'react'
import { useBasename, useGetOne, useParams, useTranslate } from 'react-admin'
import { BackLink } from '../../../components/BackLink.tsx'
import { NotFoundPage } from '../../../components/ErrorPage.tsx'
import { Loading, PageTitle } from '../../../components/Panel.tsx'
import { useSetting } from '../../../components/useSetting.ts'
import { usePageTitle } from '../../../engine/define/page.tsx'
import { RetryAlert } from '../../../engine/parts/ActionDialog.tsx'
import { type LazyPart, lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { mayOn } from '../../../schemas/define/access.ts'
import { ServerTabs, type SubjectName, subjects } from './ServerTabs.tsx'
import type { SubjectProps } from './SubjectPanel.tsx'

const parts: Readonly<Record<SubjectName, LazyPart<SubjectProps>>> = {
  processes: lazyPart(() => import('./Processes.tsx')),
  containers: lazyPart(() => import('./Containers.tsx')),
  units: lazyPart(() => import('./Units.tsx')),
  logs: lazyPart(() => import('./Logs.tsx')),
  disks: lazyPart(async () => ({ default: (await import('./hardwareTabs.tsx')).Disks })),
  network: lazyPart(() => import('./Network.tsx')),
  packages: lazyPart(() => import('./Packages.tsx')),
  hardware: lazyPart(async () => ({ default: (await import('./hardwareTabs.tsx')).Hardware })),
}

const QuestionPage = lazyPart(() => import('../question/QuestionPage.tsx'))

/** What goes on in a machine, or what many say to a question: one part for both, because every further page costs the first list. */
export default function InspectPage() {
  const { id = '', subject = '', question } = useParams()
  if (question === undefined) return <SubjectPage id={id} subject={subject} />
  return (
    <Suspense fallback={<Loading />}>
      <QuestionPage />
    </Suspense>
  )
}

/** One subject, with tabs to the others. */
function SubjectPage({ id, subject }: { id: string; subject: string }) {
  const setting = useSetting()
  const { data, error, refetch } = useGetOne('server', { id })
  const name = subjects.find((one) => one === subject)
  if (!name || (error as { status?: number } | null)?.status === 404) return <NotFoundPage />
  if (!data || !setting) return error ? <RetryAlert error={error} onRetry={refetch} /> : <Loading />
  // Another server, or somebody with whom it is only shared.
  if (setting.wheelhouse?.inspect !== true || !mayOn(data, 'act')) return <NotFoundPage />
  return <Loaded key={id} server={{ id: Number(data.id), name: String(data.name) }} subject={name} />
}

function Loaded({ server, subject }: SubjectProps & { subject: SubjectName }) {
  const translate = useTranslate()
  const basename = useBasename()
  usePageTitle(`${server.name}: ${translate(`app.inspect.subjects.${subject}`)}`)
  const Part = parts[subject]
  return (
    <>
      <BackLink to={basename || '/'}>{translate('resources.server.name', { smart_count: 2 })}</BackLink>
      <PageTitle sx={{ marginTop: 0.5, overflowWrap: 'anywhere' }}>{server.name}</PageTitle>
      <ServerTabs server={server} current={subject} />
      <Suspense fallback={<Loading />}>
        <Part key={subject} server={server} />
      </Suspense>
    </>
  )
}
