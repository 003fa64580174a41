import Close from '@mui/icons-material/Close'
import MuiCheckbox from '@mui/material/Checkbox'
import Drawer from '@mui/material/Drawer'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormLabel from '@mui/material/FormLabel'
import IconButton from '@mui/material/IconButton'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { useListSortContext } from 'react-admin'
import { useScreen } from '../../define/screen.ts'
import { usePageSelection } from '../selection/Checkbox.tsx'

const Sheet = styled('div')(({ theme }) => ({
  padding: theme.spacing(0, 2, 2),
  '& header': {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    minHeight: 52,
    background: theme.vars.palette.background.paper,
  },
  '& h2': { margin: 0, ...theme.typography.h2 },
  '& .MuiFormLabel-root': { display: 'block', marginTop: theme.spacing(1.5), fontSize: 13, fontWeight: 600 },
  '& .MuiFormControlLabel-root': { minHeight: 44, minWidth: 0, marginRight: 0 },
  '& .MuiFormGroup-root': { display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
}))

/** What headings of a table do, for narrow screens: selects all rows of the page, and sorts by a column. */
export default function ListSheet({ onClose }: { onClose: () => void }) {
  const { canSelect, columns, entity, texts, translate } = useScreen()
  const { sort, setSort } = useListSortContext()
  const page = usePageSelection()
  const titleId = useId()
  const columnId = useId()
  const orderId = useId()
  const sortable = columns.filter(({ sort }) => sort !== false)
  const sorted = sortable.find(({ source }) => source === sort.field)
  return (
    <Drawer
      open
      anchor="bottom"
      onClose={onClose}
      slotProps={{ paper: { 'aria-labelledby': titleId, sx: { maxHeight: '75dvh', borderRadius: '12px 12px 0 0' } } }}
    >
      <Sheet>
        <header>
          <h2 id={titleId}>{translate('app.list.sort_and_select')}</h2>
          <IconButton aria-label={translate('app.action.close')} onClick={onClose}>
            <Close fontSize="small" />
          </IconButton>
        </header>
        {canSelect ? (
          <FormControlLabel
            label={translate('app.list.select_all')}
            control={
              <MuiCheckbox
                checked={page.isWhole}
                indeterminate={page.isPartial}
                disabled={page.isEmpty}
                onChange={page.toggle}
              />
            }
          />
        ) : null}
        {entity.api.paging === 'whole' ? (
          <>
            <FormLabel id={orderId}>{translate('app.list.order')}</FormLabel>
            <RadioGroup
              aria-labelledby={orderId}
              value={sort.order}
              onChange={(_, order) => sorted && setSort({ field: sorted.source, order: order as 'ASC' | 'DESC' })}
            >
              {(['ASC', 'DESC'] as const).map((order) => (
                <FormControlLabel
                  key={order}
                  value={order}
                  disabled={!sorted}
                  control={<Radio size="small" />}
                  label={translate(`app.list.${order === 'ASC' ? 'ascending' : 'descending'}`)}
                />
              ))}
            </RadioGroup>
            <FormLabel id={columnId}>{translate('app.list.sort_by')}</FormLabel>
            <RadioGroup
              aria-labelledby={columnId}
              value={sorted?.source ?? ''}
              onChange={(_, chosen) => {
                const column = sortable.find(({ source }) => source === chosen)
                if (column) setSort({ field: column.source, order: 'ASC' })
              }}
            >
              {sortable.map((column) => (
                <FormControlLabel
                  key={column.source}
                  value={column.source}
                  control={<Radio size="small" />}
                  label={texts.heading(column)}
                />
              ))}
            </RadioGroup>
          </>
        ) : null}
      </Sheet>
    </Drawer>
  )
}
