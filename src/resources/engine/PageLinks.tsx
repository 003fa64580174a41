import FormControl from '@mui/material/FormControl'
import NativeSelect from '@mui/material/NativeSelect'
import Pagination from '@mui/material/Pagination'
import { styled } from '@mui/material/styles'
import { memo, useId } from 'react'
import { useEvent, useListContext, useLocaleState, useTranslate } from 'react-admin'
import { usePageSize } from './useTableChoices.ts'

const pageSizes = [10, 20, 50, 100]

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1, 3),
  padding: theme.spacing(1.5, 0),
  color: theme.vars.palette.text.secondary,
  fontSize: 13,
  '& nav': { marginLeft: 'auto' },
}))

/** Links on each side of the current page: as many as leave an ellipsis as soon as there are more than five pages. */
const neighbours = (pages: number) => (pages <= 5 ? 5 : pages <= 7 ? 0 : 1)

/** Total, links to pages (with ellipses over five) and the number of rows on a page. */
export function PageLinks() {
  const { page, perPage, total, setPage, setPerPage } = useListContext()
  const [, rememberSize] = usePageSize()
  const choosePage = useEvent(setPage)
  const chooseSize = useEvent((size: number) => {
    rememberSize(size)
    setPerPage(size)
  })
  if (total === undefined) return null
  return <Links page={page} perPage={perPage} total={total} onPage={choosePage} onSize={chooseSize} />
}

interface LinksProps {
  page: number
  perPage: number
  total: number
  onPage: (page: number) => void
  onSize: (size: number) => void
}

/** Drawn when its numbers change, not whenever the list does: a dozen of MUI's buttons would cost more than ten rows. */
const Links = memo(function Links({ page, perPage, total, onPage, onSize }: LinksProps) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const id = useId()
  const pages = Math.max(1, Math.ceil(total / perPage))
  const sizes = [...new Set([...pageSizes, perPage])].sort((a, b) => a - b)
  return (
    <Bar>
      <span>{translate('app.list.total', { total: total.toLocaleString(locale) })}</span>
      <FormControl size="small" sx={{ flexDirection: 'row', alignItems: 'center', gap: 1 }}>
        <label htmlFor={id}>{translate('app.list.rows_per_page')}</label>
        <NativeSelect
          variant="standard"
          disableUnderline
          inputProps={{ id }}
          sx={{ fontSize: 'inherit', 'label + &': { marginTop: 0 } }}
          value={perPage}
          onChange={(event) => onSize(Number(event.target.value))}
        >
          {sizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </NativeSelect>
      </FormControl>
      {pages > 1 ? (
        <Pagination
          aria-label={translate('app.list.pages')}
          size="small"
          count={pages}
          page={page}
          siblingCount={neighbours(pages)}
          onChange={(_, wanted) => onPage(wanted)}
          getItemAriaLabel={(type, wanted) =>
            type === 'page' ? translate('app.list.page', { page: wanted }) : translate(`app.list.${type}_page`)
          }
        />
      ) : null}
    </Bar>
  )
})
