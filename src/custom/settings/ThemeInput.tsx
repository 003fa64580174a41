import Alert from '@mui/material/Alert'
import Chip from '@mui/material/Chip'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { createContext, use } from 'react'
import { useTranslate, ValidationError } from 'react-admin'
import { TextInput } from '../../engine/kinds/basicInputs.tsx'
import { type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'
import type { FrontendTemplate } from '../../schemas/settings/setting.ts'

/** The server's themes for visitors; provided by the settings page. */
export const TemplatesContext = createContext<readonly FrontendTemplate[]>([])

/** Only web addresses become links: the text comes from the theme's author. */
const isWebAddress = (text: string) => /^https?:\/\//.test(text)

/** The themes of the public site, with their authors. */
export function ThemeInput(props: InputProps) {
  const { field: description, label, help } = props
  const translate = useTranslate()
  const { id, field, error } = useField(description)
  const templates = use(TemplatesContext)
  if (templates.length === 0) return <TextInput {...props} mono />
  const chosen = templates.find(({ path }) => path === field.value)
  return (
    <Choices aria-describedby={`${id}-help`}>
      <legend>{label}</legend>
      {templates.map(({ path, name, version, author, repository, is_official }) => (
        <label key={path}>
          <input
            type="radio"
            name={field.name}
            value={path}
            checked={path === field.value}
            onChange={() => field.onChange(path)}
            onBlur={field.onBlur}
          />
          <span>
            <strong>{name || path}</strong> {version ? <small>{version}</small> : null}{' '}
            <Chip
              size="small"
              variant="outlined"
              color={is_official ? 'success' : 'warning'}
              label={translate(is_official ? 'app.site.official' : 'app.site.community')}
            />
            {author ? <small>{translate('app.site.theme_by', { author })}</small> : null}
            {isWebAddress(repository) ? (
              <Link href={repository} target="_blank" rel="noreferrer">
                {repository.replace(/^https?:\/\//, '')}
              </Link>
            ) : null}
          </span>
        </label>
      ))}
      {chosen ? null : <p>{translate('app.site.unknown_theme', { theme: field.value })}</p>}
      {chosen && !chosen.is_official ? (
        <Alert severity="warning">{translate('app.site.community_warning')}</Alert>
      ) : null}
      <p id={`${id}-help`} role={error ? 'alert' : undefined}>
        {error ? <ValidationError error={error} /> : help}
      </p>
    </Choices>
  )
}

const Choices = styled('fieldset')(({ theme }) => ({
  margin: 0,
  padding: 0,
  border: 0,
  minWidth: 0,
  '& legend': {
    padding: 0,
    marginBottom: theme.spacing(0.5),
    fontSize: 13,
    fontWeight: 600,
    color: theme.vars.palette.text.secondary,
  },
  '& label': {
    display: 'flex',
    gap: theme.spacing(1.5),
    padding: theme.spacing(1, 1.5),
    border: `1px solid ${theme.vars.palette.divider}`,
    cursor: 'pointer',
  },
  '& label + label': { borderTop: 0 },
  '& label:has(:checked)': { boxShadow: `inset 3px 0 ${theme.vars.palette.primary.main}` },
  '& label > span': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    gap: theme.spacing(0.5, 1),
    minWidth: 0,
  },
  '& input': { accentColor: theme.vars.palette.primary.main },
  '& small, & p': { color: theme.vars.palette.text.secondary },
  '& p': { margin: theme.spacing(0.5, 0, 0), fontSize: 12 },
  '& .MuiAlert-root': { marginTop: theme.spacing(1) },
}))
