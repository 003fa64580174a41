import AddIcon from '@mui/icons-material/Add'
import CloseIcon from '@mui/icons-material/Close'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useId } from 'react'
import { useTranslate } from 'react-admin'
import { FieldFrame } from '../../../engine/kinds/parts/FieldFrame.tsx'
import { bodyTypes, httpMethods, httpVersions, jsonOperators } from '../../../schemas/checks/http.ts'
import { isObject, type Values } from '../../../schemas/define/values.ts'
import {
  CheckChoice,
  CheckFlag,
  CheckFormContext,
  CheckGrid,
  CheckNumber,
  CheckPairs,
  CheckText,
  useCheckForm,
} from './controls.tsx'

/** The fields of an HTTP check. */
export function HttpFields() {
  const { check, emptySecrets } = useCheckForm()
  const translate = useTranslate()
  return (
    <>
      <CheckGrid>
        <CheckChoice name="method" choices={httpMethods} worded={[]} />
        <CheckText name="codes" help="codes" placeholder="200-399" />
      </CheckGrid>
      <CheckGrid>
        <CheckText name="contains" />
        <CheckText name="absent" />
      </CheckGrid>
      <CheckText name="pattern" help="pattern" />
      <JsonRules />
      <details open={emptySecrets === 'not_copied'}>
        <summary>{translate('app.checks.request')}</summary>
        <CheckPairs name="headers" isSecret />
        {check.method === 'GET' || check.method === 'HEAD' ? null : (
          <>
            <CheckChoice name="body_type" choices={bodyTypes} />
            <CheckText name="body" lines={3} isSecret />
          </>
        )}
        <AuthFields />
      </details>
      <details>
        <summary>{translate('app.checks.connection')}</summary>
        <CheckPairs name="answer_headers" help="answer_headers" />
        <CheckGrid>
          <CheckNumber name="max_redirects" />
          <CheckChoice name="http_version" choices={httpVersions} worded={['auto']} />
        </CheckGrid>
        <CheckText name="proxy" placeholder="http://proxy.example.org:3128" />
        <CheckFlag name="verify_tls" />
        {check.verify_tls ? <CheckText name="ca" lines={2} help="ca" /> : null}
      </details>
    </>
  )
}

const emptyAuth: Readonly<Record<string, Values | null>> = {
  '': null,
  basic: { kind: 'basic', user: '', password: '' },
  bearer: { kind: 'bearer', token: '' },
  certificate: { kind: 'certificate', cert: '', key: '' },
}

/** The sign-in: its fields are those of an object of their own. */
function AuthFields() {
  const form = useCheckForm()
  const auth = isObject(form.check.auth) ? form.check.auth : {}
  const kind = String(auth.kind ?? '')
  const inner = {
    ...form,
    check: { ...auth, auth: kind },
    set: (changes: Values) => form.set({ auth: { ...auth, ...changes } }),
    errors: new Map([...form.errors].map(([path, text]) => [path.replace(/^auth\./, ''), text])),
  }
  return (
    <CheckFormContext value={inner}>
      <CheckChoice
        name="auth"
        choices={Object.keys(emptyAuth)}
        onChoose={(chosen) => form.set({ auth: emptyAuth[chosen] ?? null })}
      />
      {kind === 'basic' ? (
        <CheckGrid>
          <CheckText name="user" />
          <CheckText name="password" isSecret />
        </CheckGrid>
      ) : null}
      {kind === 'bearer' ? <CheckText name="token" isSecret /> : null}
      {kind === 'certificate' ? (
        <>
          <CheckText name="cert" lines={2} />
          <CheckText name="key" lines={2} isSecret />
        </>
      ) : null}
    </CheckFormContext>
  )
}

/** Rules about values in a JSON answer: a path, a comparison and a value each. */
function JsonRules() {
  const translate = useTranslate()
  const { check, set, errors } = useCheckForm()
  const rules = (Array.isArray(check.json) ? check.json : []).map((rule) => (isObject(rule) ? rule : {}))
  const id = useId()
  const label = translate('app.checks.fields.json')
  const error = [...errors].find(([path]) => path.startsWith('json.'))?.[1] ?? errors.get('json')
  const change = (index: number, changes: Values) => set({ json: rules.with(index, { ...rules[index], ...changes }) })
  return (
    <FieldFrame id={id} label={label} help={translate('app.checks.help.json')} required={false} error={error}>
      <div style={{ display: 'grid', gap: 8 }}>
        {rules.map((rule, index) => {
          const at = `${label}, ${index + 1}`
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no ids, only positions
            <div key={index} style={{ display: 'flex', gap: 8 }}>
              <OutlinedInput
                size="small"
                placeholder="$.status"
                value={String(rule.path ?? '')}
                onChange={({ target }) => change(index, { path: target.value })}
                slotProps={{ input: { 'aria-label': `${at}: ${translate('app.checks.path')}` } }}
                sx={{ flex: 3, minWidth: 0 }}
              />
              <NativeSelect
                value={String(rule.op ?? '==')}
                input={<OutlinedInput size="small" notched={false} />}
                inputProps={{ 'aria-label': `${at}: ${translate('app.checks.operator')}` }}
                onChange={({ target }) => change(index, { op: target.value })}
              >
                {jsonOperators.map((op) => (
                  <option key={op} value={op}>
                    {op}
                  </option>
                ))}
              </NativeSelect>
              {rule.op === 'exists' ? null : (
                <OutlinedInput
                  size="small"
                  value={typeof rule.value === 'string' ? rule.value : JSON.stringify(rule.value ?? '')}
                  onChange={({ target }) => change(index, { value: target.value })}
                  slotProps={{ input: { 'aria-label': `${at}: ${translate('app.form.pair_value')}` } }}
                  sx={{ flex: 2, minWidth: 0 }}
                />
              )}
              <IconButton
                size="small"
                aria-label={translate('app.form.remove_pair', { name: String(rule.path || index + 1) })}
                onClick={() => set({ json: rules.toSpliced(index, 1) })}
              >
                <CloseIcon fontSize="small" />
              </IconButton>
            </div>
          )
        })}
        <Button
          size="small"
          startIcon={<AddIcon fontSize="small" />}
          onClick={() => set({ json: [...rules, { path: '', op: '==', value: '' }] })}
          sx={{ justifySelf: 'start' }}
        >
          {translate('app.checks.add_json')}
        </Button>
      </div>
    </FieldFrame>
  )
}
