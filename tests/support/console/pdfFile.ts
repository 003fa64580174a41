/** What is on a page of a PDF: a line of text, and links, one below the other. */
interface PdfPage {
  /** Latin or Chinese characters. */
  text: string
  /** Addresses, or pages from 1. */
  links?: readonly (string | number)[]
}

interface PdfOptions {
  /** Runs when the document is opened, in programs that run scripts of documents. */
  script?: string
  /** Whether a password is needed that nobody knows. */
  isEncrypted?: boolean
}

/** Chinese by the tables of the reader, without a font in the file. */
const chinese = `<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font
/Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >>
/FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800
/Descent -200 /CapHeight 700 /StemV 90 >> >>] >>`

/** A PDF of A4 pages in fonts that need not be in the file. */
export function pdfFile(pages: readonly PdfPage[], { script, isEncrypted }: PdfOptions = {}): Buffer {
  const objects: string[] = []
  const add = (content: string) => objects.push(content)
  const firstPage = 5
  const linkTo = (to: string | number) =>
    typeof to === 'number'
      ? `/Dest [${firstPage + (to - 1) * 2} 0 R /Fit]`
      : `/A << /S /URI /URI (${to.replaceAll(/[()\\]/g, '\\$&')}) >>`
  const opened = script ? `/OpenAction << /S /JavaScript /JS (${script.replaceAll(/[()\\]/g, '\\$&')}) >>` : ''
  add(`<< /Type /Catalog /Pages 2 0 R ${opened} >>`)
  const kids = pages.map((_, at) => `${firstPage + at * 2} 0 R`).join(' ')
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  add(chinese)
  for (const [at, { text, links = [] }] of pages.entries()) {
    const annotations = links.map((to, row) => {
      const top = 700 - row * 40
      return `<< /Type /Annot /Subtype /Link /Rect [60 ${top - 30} 300 ${top}] ${linkTo(to)} >>`
    })
    const content = firstPage + at * 2 + 1
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << /Font << /L 3 0 R /C 4 0 R >> >> /Annots [${annotations.join(' ')}] >>`,
    )
    const isLatin = /^[\x20-\x7e]*$/.test(text)
    const shown = isLatin ? `(${text})` : `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
    const drawn = `BT ${isLatin ? '/L' : '/C'} 24 Tf 60 760 Td ${shown} Tj ET`
    add(`<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`)
  }
  const nobody = '0'.repeat(64)
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${nobody}> /U <${nobody}> >> /ID [<00> <00>]`
  return assemble(objects, isEncrypted ? encryption : '')
}

function assemble(objects: readonly string[], more: string): Buffer {
  let file = '%PDF-1.7\n'
  const offsets = objects.map((content, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${content}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${more} >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, 'latin1')
}
