import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { LinkBase, useBasename, useListContext, useTimeout, useTranslate } from 'react-admin'
import { useAddresses, useScreen } from '../define/screen.ts'

/** Shown when a list has no rows: with a filter a button to clear it, without one what the entity is for, and how to begin. */
export function EmptyList() {
  const { filterValues, setFilters } = useListContext()
  const { definition, texts, translate, allowed } = useScreen()
  const { guide } = definition
  const basename = useBasename()
  const filtered = Object.keys(filterValues ?? {}).length > 0
  return (
    <div role="status" style={{ padding: '40px 16px', textAlign: 'center' }}>
      <Typography variant="subtitle1" component="p">
        {translate('app.list.no_results')}
      </Typography>
      {filtered ? (
        <Button onClick={() => setFilters({})}>{translate('app.list.clear_filters')}</Button>
      ) : (
        <>
          <Typography variant="body2" color="textSecondary" sx={{ maxWidth: 560, margin: '4px auto 16px' }}>
            {texts.empty}
          </Typography>
          <div style={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 8 }}>
            {guide && allowed('create') ? (
              <Button variant="contained" component={LinkBase} to={`${basename}/${guide.path}`}>
                {translate(guide.labelKey)}
              </Button>
            ) : null}
            <CreateButton variant="outlined" />
          </div>
        </>
      )}
    </div>
  )
}

/** Opens the create dialog. Absent where the API has no creation or this person may not create. */
export function CreateButton({ variant = 'contained' }: { variant?: 'contained' | 'outlined' }) {
  const addresses = useAddresses()
  const { allowed, translate } = useScreen()
  if (!allowed('create')) return null
  return (
    <Button variant={variant} component={LinkBase} to={addresses.create}>
      {translate('app.action.create')}
    </Button>
  )
}

const Bar = styled('div')(({ theme }) => ({
  height: 10,
  borderRadius: 4,
  background: theme.vars.palette.action.hover,
}))

/** Milliseconds. */
const delay = 200

/** Placeholder rows of the final height while a list loads; nothing for a list that loads at once. */
export function LoadingRows({ span, rows = 5 }: { span: number; rows?: number }) {
  const translate = useTranslate()
  const late = useTimeout(delay)
  if (!late) return null
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are never reordered
    <tr key={row}>
      <td colSpan={span}>
        {row === 0 ? (
          <span role="status" className="visually-hidden">
            {translate('app.list.loading')}
          </span>
        ) : null}
        <Bar style={{ width: `${90 - row * 12}%` }} />
      </td>
    </tr>
  ))
}
