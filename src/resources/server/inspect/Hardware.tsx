import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { Fact, FactList, Panel } from '../../../components/Panel.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import { type HardwareItem, hardwareKinds } from '../../../schemas/inspect/hardware.ts'
import { SubjectPanel, type SubjectProps, useInspected } from './SubjectPanel.tsx'

/** Processor, memory modules, sensors, graphics and power supplies, in the words of the programs that tell them. */
export default function Hardware({ server }: SubjectProps) {
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
