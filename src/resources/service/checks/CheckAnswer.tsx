import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { useFormContext } from 'react-hook-form'
import { isObject } from '../../../schemas/define/values.ts'
import { jsonPathText } from '../../../schemas/formats/jsonPath.ts'

/** Values that are offered: further ones are in the text. */
const maxValues = 200

/** The answer to a check. In JSON, a click on a value makes a rule of it, where the check has such rules. */
export function CheckAnswer({ answer }: { answer: string }) {
  const translate = useTranslate()
  const { getValues, setValue } = useFormContext()
  const values = valuesIn(answer)
  const check: unknown = getValues('check')
  const rules = isObject(check) && Array.isArray(check.json) ? check.json : undefined
  const pick = (path: string, value: unknown) => {
    if (!isObject(check) || !rules) return
    setValue(
      'check',
      { ...check, json: [...rules, { path, op: '==', value }] },
      { shouldDirty: true, shouldTouch: true },
    )
  }
  if (!rules || values.length === 0)
    return <AnswerText aria-label={translate('app.checks.answer')}>{answer}</AnswerText>
  return (
    <div>
      <small>{translate('app.checks.pick')}</small>
      <AnswerText as="ul" aria-label={translate('app.checks.answer')}>
        {values.map(({ path, value }) => (
          <li key={path}>
            <Button size="small" onClick={() => pick(path, value)}>
              {path}
            </Button>{' '}
            {JSON.stringify(value)}
          </li>
        ))}
      </AnswerText>
    </div>
  )
}

/** The single values in a JSON text, with the paths to them; none for another text. */
function valuesIn(text: string): { path: string; value: unknown }[] {
  const found: { path: string; value: unknown }[] = []
  function add(value: unknown, steps: readonly (string | number)[]): void {
    if (found.length >= maxValues) return
    if (Array.isArray(value)) for (const [index, one] of value.entries()) add(one, [...steps, index])
    else if (isObject(value)) for (const [name, one] of Object.entries(value)) add(one, [...steps, name])
    else found.push({ path: jsonPathText(steps), value })
  }
  try {
    add(JSON.parse(text), [])
  } catch {
    // An answer that is cut off, or no JSON.
  }
  return found
}

/** What was asked or answered. */
export const AnswerText = styled('pre')(({ theme }) => ({
  margin: 0,
  padding: theme.spacing(1),
  maxHeight: 320,
  overflow: 'auto',
  listStyle: 'none',
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.sunken,
  fontFamily: 'monospace',
  fontSize: 13,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  '& button': { fontFamily: 'monospace', textTransform: 'none', padding: '0 4px', minWidth: 0 },
}))
