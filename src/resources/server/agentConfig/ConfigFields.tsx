import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { type Resolver, useForm, useWatch } from 'react-hook-form'
import { ComparisonTable } from '../../../components/ComparisonTable.tsx'
import { SectionFields, SectionHeading } from '../../../engine/form/sectionStyles.tsx'
import { asFormErrors, changesBetween, validate } from '../../../engine/form/validate.ts'
import { inputs } from '../../../engine/kinds/inputs.tsx'
import { describeFields } from '../../../schemas/define/describe.ts'
import type { Values } from '../../../schemas/define/values.ts'
import { type ServerConfigKey, serverConfig } from '../../../schemas/machines/serverConfig.ts'
import { type ConfigChanges, type ConfigReadResult, hasAgent, pendingChanges, riskyChanges } from './configRequests.ts'

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
const labelOf = (key: string, translate: Translate) => translate(`app.server_config.fields.${key}`)

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

/** Warns which functions of the console the changes disable for this server. */
export function ConfigWarnings({ keys }: { keys: readonly ServerConfigKey[] }) {
  const translate = useTranslate()
  if (keys.length === 0) return null
  return (
    <Alert severity="warning" sx={{ marginY: 2 }}>
      <strong>{translate('app.server_config.dangers_title')}</strong>
      <ul style={{ margin: '4px 0 0', paddingLeft: 20 }}>
        {keys.map((key) => (
          <li key={key}>
            {labelOf(key, translate)}: {translate(`app.server_config.dangers.${key}`)}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

/**
 * The form state of an agent's settings.
 * @param before the initial values
 * @param chosen the settings to validate and submit. Default: the changed ones
 */
export function useConfigForm(before: Values, chosen?: readonly string[]) {
  const [initial] = useState(before)
  const resolver: Resolver<Values> = (values) => {
    const { values: parsed, errors } = validate(
      serverConfig,
      values,
      chosen ?? Object.keys(changesBetween(initial, values)),
    )
    return parsed ? { values: parsed, errors: {} } : { values: {}, errors: asFormErrors(errors) }
  }
  const form = useForm<Values>({ defaultValues: initial, resolver })
  const values = useWatch({ control: form.control })
  return { form, values, changes: changesBetween(initial, values) }
}

interface ConfigComparisonProps {
  configs: readonly ConfigReadResult[]
  changes: ConfigChanges
  nameOf: (id: number) => string
  onBack: () => void
  /** @param ids the servers whose settings change */
  onSend: (ids: number[]) => void
}

/** The current and new settings of each server, shown before anything is sent. */
export function ConfigComparison({ configs, changes, nameOf, onBack, onSend }: ConfigComparisonProps) {
  const translate = useTranslate()
  const isWithAgents = configs.some((one) => 'config' in one && hasAgent(one.config))
  const valueText = useValueText()
  const rows = configs.map((one) => ({ ...one, pending: 'config' in one ? pendingChanges(one.config, changes) : {} }))
  const changing = rows.filter(({ pending }) => Object.keys(pending).length > 0)
  const dangers = riskyChanges(Object.assign({}, ...changing.map(({ pending }) => pending)))
  return (
    <>
      <DialogContent dividers>
        <Table>
          <thead>
            <tr>
              {['server', 'setting', 'now', 'new'].map((heading) => (
                <th key={heading} scope="col">
                  {translate(`app.server_config.table.${heading}`)}
                </th>
              ))}
            </tr>
          </thead>
          {rows.map((row) => {
            const keys = Object.keys(row.pending)
            const note =
              'reason' in row
                ? translate(row.reason)
                : keys.length === 0
                  ? translate('app.server_config.unchanged')
                  : ''
            const change = (key: string) => (
              <>
                <td>{labelOf(key, translate)}</td>
                <td>{'config' in row ? valueText(row.config[key]) : null}</td>
                <td>
                  <strong>{valueText(changes[key as ServerConfigKey])}</strong>
                </td>
              </>
            )
            return (
              <tbody key={row.id}>
                <tr>
                  <th scope="rowgroup" rowSpan={Math.max(1, keys.length)}>
                    {nameOf(row.id)}
                  </th>
                  {note ? <td colSpan={3}>{note}</td> : change(keys[0] as string)}
                </tr>
                {keys.slice(1).map((key) => (
                  <tr key={key}>{change(key)}</tr>
                ))}
              </tbody>
            )
          })}
        </Table>
        {isWithAgents ? <ConfigWarnings keys={dangers} /> : null}
        {!isWithAgents || changing.length === 0 ? null : (
          <Typography variant="body2" color="textSecondary" sx={{ marginTop: 2 }}>
            {translate('app.server_config.meaning')}
          </Typography>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onBack}>{translate('app.server_config.back')}</Button>
        <Button
          variant="contained"
          disabled={changing.length === 0}
          onClick={() => onSend(changing.map(({ id }) => id))}
        >
          {translate('app.server_config.send', { smart_count: changing.length })}
        </Button>
      </DialogActions>
    </>
  )
}

/** Formats the value of a setting. */
function useValueText() {
  const translate = useTranslate()
  return (value: unknown): string => {
    if (typeof value === 'boolean') return translate(`ra.boolean.${value}`)
    if (value === undefined || value === null) return '–'
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

const Table = styled(ComparisonTable)(({ theme }) => ({
  '& tbody': { borderTop: `1px solid ${theme.vars.palette.divider}` },
}))
