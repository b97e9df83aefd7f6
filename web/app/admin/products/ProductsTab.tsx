import { useSearchParams } from 'react-router'
import { OfferList } from './OfferList.tsx'
import { ProductTable } from './ProductTable.tsx'
import { productParam } from './products.queries.ts'

/** Lists all products, or the offers of the one that the address names. */
export default function ProductsTab() {
  const [params] = useSearchParams()
  const productId = Number(params.get(productParam))
  return productId > 0 ? <OfferList key={productId} productId={productId} /> : <ProductTable />
}
