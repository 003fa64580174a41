/** What is wrong with a value, said below its input. */
export const validation = {
  required: 'Required',
  min_length: 'Must be at least %{min} characters',
  max_length: 'Must be at most %{max} characters',
  min_value: 'Must be at least %{min}',
  max_value: 'Must be at most %{max}',
  integer: 'Must be a whole number',
  number: 'Must be a number',
  url: 'Must be a web address starting with http:// or https://',
  json: 'Invalid JSON string',
  text_pairs: 'Must be a JSON object of texts, such as {"X-Token": "abc"}',
  choice: 'Choose one of the listed values',
  invalid: 'This value is not valid',
}
