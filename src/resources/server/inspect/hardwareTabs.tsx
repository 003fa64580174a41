import Alert from '@mui/material/Alert'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { Suspense, useState } from 'react'
import { useTranslate } from 'react-admin'
import { formatBytes, formatMetric, formatNumber, formatPercent } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Fact, FactList, numbers, Panel, PlainTable } from '../../../components/Panel.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import {
  type DiskItem,
  type FilesystemItem,
  type HardwareItem,
  hardwareKinds,
} from '../../../schemas/inspect/hardware.ts'
import { SubjectPanel, type SubjectProps, useInspected } from './SubjectPanel.tsx'

const FoldersDialog = lazyPart(async () => ({ default: (await import('./inspectDialogs.tsx')).FoldersDialog }))

/** Percent of the space or the inodes, from which on a file system is marked. */
const fullPercent = 90

/** File systems, the disks below them, and those that work as one. */
export function Disks({ server }: SubjectProps) {
  const { locale, translate } = useLanguage()
  const asked = useInspected(inspectEndpoints.disks, { id: server.id })
  const [opened, setOpened] = useState<string>()
  const items = asked.data?.items ?? []
  const of = <Kind extends DiskItem['kind']>(kind: Kind) =>
    items.filter((item): item is DiskItem & { kind: Kind } => item.kind === kind)
  const label = (key: string) => translate(`app.inspect.disks.columns.${key}`)
  const [filesystems, devices, arrays] = [of('filesystem'), of('device'), of('raid')]
  return (
    <SubjectPanel asked={asked} isLive={false}>
      {arrays.length > 0 ? (
        <Panel title={translate('app.inspect.disks.raid')}>
          <PlainTable
            headings={[label('name'), label('type'), label('state'), label('activity')]}
            rows={arrays.map(({ name, type, state, is_degraded, activity }) => ({
              key: name,
              cells: [
                name,
                type,
                is_degraded ? (
                  <Alert key="state" severity="error">{`${translate('app.inspect.disks.degraded')}: ${state}`}</Alert>
                ) : (
                  state
                ),
                activity,
              ],
            }))}
          />
        </Panel>
      ) : null}
      <Panel title={translate('app.inspect.disks.filesystems')} hint={translate('app.inspect.disks.folders_hint')}>
        <PlainTable
          headings={[
            label('mounted'),
            label('device'),
            label('type'),
            label('used'),
            numbers(label('free')),
            label('inodes'),
          ]}
          rows={filesystems.map((filesystem) => ({
            key: `${filesystem.device} ${filesystem.name}`,
            cells: [
              <Link
                key="name"
                component="button"
                type="button"
                sx={{ textAlign: 'start' }}
                onClick={() => setOpened(filesystem.name)}
              >
                {filesystem.name}
              </Link>,
              filesystem.device,
              <span key="type">
                {filesystem.type} <small>{filesystem.options}</small>
              </span>,
              <Used key="used" filesystem={filesystem} />,
              formatBytes(filesystem.free, locale),
              inodesText(filesystem, locale),
            ],
          }))}
        />
      </Panel>
      {devices.length > 0 ? (
        <Panel title={translate('app.inspect.disks.devices')} hint={translate('app.inspect.disks.smart_hint')}>
          <PlainTable
            headings={[
              label('name'),
              label('model'),
              numbers(label('size')),
              label('smart'),
              label('temperature'),
              label('wear'),
            ]}
            rows={devices.map((device) => ({
              key: device.name,
              cells: [
                device.name,
                [device.model, device.serial, device.transport].filter(Boolean).join(' · '),
                device.size === undefined ? '' : formatBytes(device.size, locale),
                device.healthy === undefined
                  ? ''
                  : translate(device.healthy ? 'app.inspect.disks.healthy' : 'app.inspect.disks.failing'),
                device.temperature === undefined
                  ? ''
                  : formatMetric(device.temperature, 'celsius', { locale, translate }),
                wearText(device, { locale, translate }),
              ],
            }))}
          />
        </Panel>
      ) : null}
      <Suspense>
        {opened ? <FoldersDialog server={server} path={opened} onClose={() => setOpened(undefined)} /> : null}
      </Suspense>
    </SubjectPanel>
  )
}

/** How full it is, as programs without the rights of root find it. */
export function Used({ filesystem: { used, free, size } }: { filesystem: FilesystemItem }) {
  const { locale } = useLanguage()
  const percent = used + free > 0 ? (used / (used + free)) * 100 : 0
  const text = `${formatPercent(percent, locale)} · ${formatBytes(used, locale)} / ${formatBytes(size, locale)}`
  return percent >= fullPercent ? <strong>{text}</strong> : text
}

/** The share of its inodes that is in use; nothing where it has no fixed number of them. */
export function inodesText({ inodes, inodes_used }: FilesystemItem, locale: string): React.ReactNode {
  if (!inodes || inodes_used === undefined) return ''
  const percent = (inodes_used / inodes) * 100
  const text = formatPercent(percent, locale)
  return percent >= fullPercent ? <strong>{text}</strong> : text
}

function wearText(
  { hours, reallocated, worn }: DiskItem & { kind: 'device' },
  { locale, translate }: ReturnType<typeof useLanguage>,
): string {
  return [
    hours === undefined ? '' : translate('app.inspect.disks.hours', { count: formatNumber(hours, locale) }),
    reallocated ? translate('app.inspect.disks.reallocated', { count: formatNumber(reallocated, locale) }) : '',
    worn === undefined ? '' : translate('app.inspect.disks.worn', { percent: formatPercent(worn, locale) }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Processor, memory modules, sensors, graphics and power supplies, in the words of the programs that tell them. */
export function Hardware({ server }: SubjectProps) {
  const translate = useTranslate()
  const asked = useInspected(inspectEndpoints.hardware, { id: server.id })
  const byKind = Map.groupBy(asked.data?.items ?? [], ({ kind }) => kind)
  return (
    <SubjectPanel asked={asked} isLive={false}>
      <Columns>
        {hardwareKinds.map((kind) => {
          const items = byKind.get(kind)
          return items ? (
            <Panel key={kind} title={translate(`app.inspect.hardware.${kind}`)}>
              {[...Map.groupBy(items, ({ part = '' }) => part)].map(([part, facts]) => (
                <Part key={part} name={part} facts={facts} />
              ))}
            </Panel>
          ) : null
        })}
      </Columns>
    </SubjectPanel>
  )
}

function Part({ name, facts }: { name: string; facts: readonly HardwareItem[] }) {
  return (
    <>
      {name ? <h3>{name}</h3> : null}
      <FactList>
        {facts.map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a program may say a name twice
          <Fact key={index} name={fact.name}>
            {fact.value}
          </Fact>
        ))}
      </FactList>
    </>
  )
}

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(0, 2),
  alignItems: 'start',
  [theme.breakpoints.up('lg')]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  '& h3': { ...theme.typography.h3, margin: theme.spacing(1.5, 0, 0.5) },
}))
