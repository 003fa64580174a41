import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { SectionFields, SectionHeading } from '../../../engine/form/sectionStyles.ts'
import { inputs } from '../../../engine/kinds/inputs.tsx'
import { describeFields } from '../../../schemas/define/describe.ts'
import { type ServerConfigKey, serverConfig } from '../../../schemas/machines/serverConfig.ts'

const sections: Readonly<Record<string, readonly ServerConfigKey[]>> = {
  reporting: ['report_delay', 'ip_report_period'],
  metrics: [
    'temperature',
    'gpu',
    'skip_connection_count',
    'skip_procs_count',
    'hard_drive_partition_allowlist',
    'nic_allowlist',
  ],
  rights: ['disable_command_execute', 'disable_nat', 'disable_send_query'],
  updates: ['disable_auto_update', 'disable_force_update', 'debug'],
}

const fields = new Map(describeFields(serverConfig).map((field) => [field.name, field]))

interface ConfigFieldsProps {
  /** The settings to change, if not all: the others show no input. */
  ticked?: readonly ServerConfigKey[]
  onTick?: (key: ServerConfigKey, isTicked: boolean) => void
}

/** The inputs for an agent's settings, inside a form. */
export function ConfigFields({ ticked, onTick }: ConfigFieldsProps) {
  const translate = useTranslate()
  return Object.entries(sections).map(([section, keys]) => (
    <section key={section}>
      <SectionHeading>{translate(`app.server_config.sections.${section}`)}</SectionHeading>
      <Inputs data-ticks={ticked !== undefined}>
        {keys.map((key) => {
          if (!ticked) return <ConfigField key={key} name={key} />
          const isTicked = ticked.includes(key)
          return (
            <div key={key}>
              <FormControlLabel
                label={translate('app.server_config.change', { name: labelOf(key, translate) })}
                control={<Checkbox size="small" checked={isTicked} onChange={(_, on) => onTick?.(key, on)} />}
              />
              {isTicked ? (
                <Indented>
                  <ConfigField name={key} />
                </Indented>
              ) : null}
            </div>
          )
        })}
      </Inputs>
    </section>
  ))
}

type Translate = ReturnType<typeof useTranslate>

/** The label of a setting. */
export const labelOf = (key: string, translate: Translate) => translate(`app.server_config.fields.${key}`)

function ConfigField({ name }: { name: ServerConfigKey }) {
  const translate = useTranslate()
  const field = fields.get(name)
  if (!field) return null
  const Input = inputs[field.kind]
  return (
    <Input
      // The agent's value is filled in; only lists may be empty.
      field={{ ...field, required: field.kind !== 'json' }}
      entity={serverConfig.name}
      label={labelOf(name, translate)}
      help={translate(`app.server_config.help.${name}`)}
    />
  )
}

/** Checkboxes need no additional gap. */
const Inputs = styled(SectionFields)({ '&[data-ticks=true]': { gap: 0 } })

const Indented = styled('div')(({ theme }) => ({ margin: theme.spacing(0.5, 0, 2, 3.5) }))
