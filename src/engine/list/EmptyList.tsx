import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { LinkBase, useBasename, useListContext } from 'react-admin'
import { CreateButton } from '../actions/CreateButton.tsx'
import { useScreen } from '../define/screen.ts'

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
