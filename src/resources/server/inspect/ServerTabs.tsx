import { useBasename, useTranslate } from 'react-admin'
import { useSetting } from '../../../components/useSetting.ts'
import { TabBar, TabLink } from '../../../engine/list/SectionTabs.tsx'
import { mayOn } from '../../../schemas/define/access.ts'

/** The subjects that a machine can be asked about, in the order of their tabs. */
export const subjects = [
  'processes',
  'containers',
  'units',
  'logs',
  'disks',
  'network',
  'packages',
  'hardware',
] as const
export type SubjectName = (typeof subjects)[number]

interface ServerTabsProps {
  server: { id: unknown }
  current: 'overview' | SubjectName
}

/** The page of a server, and what goes on in it. Absent where the server behind the console cannot tell. */
export function ServerTabs({ server, current }: ServerTabsProps) {
  const translate = useTranslate()
  const basename = useBasename()
  const canInspect = useSetting()?.wheelhouse?.inspect === true && mayOn(server, 'act')
  if (!canInspect) return null
  const root = `${basename}/server/${server.id}`
  const currentOf = (name: string) => (name === current ? 'page' : undefined)
  return (
    <TabBar label={translate('app.shell.tabs')} current={current}>
      <TabLink to={`${root}/overview`} aria-current={currentOf('overview')}>
        {translate('app.inspect.subjects.overview')}
      </TabLink>
      {subjects.map((name) => (
        <TabLink key={name} to={`${root}/inspect/${name}`} aria-current={currentOf(name)}>
          {translate(`app.inspect.subjects.${name}`)}
        </TabLink>
      ))}
    </TabBar>
  )
}
