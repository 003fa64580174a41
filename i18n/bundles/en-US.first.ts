import { textsIn } from '../define/text.ts'
import { firstRa } from '../reactAdmin/en-US.ts'
import { firstTexts } from './texts.ts'

export default { ra: firstRa, ...textsIn('en', firstTexts) }
