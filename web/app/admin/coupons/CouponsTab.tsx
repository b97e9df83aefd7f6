import {
  Fieldset,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core'
import type { Coupon } from '@olmos/contract/coupons'
import * as LIMITS from '@olmos/contract/limits'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { DecimalInput, MoneyInput } from '../../money/MoneyInput.tsx'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { toLocal } from '../form/local-moment.ts'
import { missingFields } from '../form/missing-fields.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { toIdOptions } from '../list/FilterSelect.tsx'
import { useAllProducts } from '../products/products.queries.ts'
import { type CouponValues, removeCoupon, saveCoupon, useCouponSwitch, useCoupons } from './coupons.queries.ts'

export default function CouponsTab() {
  const { t } = useTranslation()
  return (
    <EditableTable
      permission="prices.write"
      list={useCoupons()}
      columns={useCouponColumns()}
      searchLabel={t('admin.coupons.search')}
      empty={t('admin.coupons.empty')}
      addLabel={t('admin.coupons.add')}
      toName={(coupon) => coupon.code}
      form={(coupon, close) => <CouponForm coupon={coupon} onClose={close} />}
      removeDialog={(coupon, close) => <RemoveCoupon coupon={coupon} onClose={close} />}
    />
  )
}

const Taken = ({ coupon: { percent, amount_usd, amount_rub } }: { coupon: Coupon }) =>
  percent === null ? (
    <>
      <Amount value={amount_usd ?? 0} currency="USD" /> / <Amount value={amount_rub ?? 0} currency="RUB" />
    </>
  ) : (
    `${percent} %`
  )

function useCouponColumns(): Column<Coupon>[] {
  const { t } = useTranslation()
  const turn = useCouponSwitch()
  return [
    columns.withNote<Coupon>(
      { title: t('admin.coupons.code'), sort: 'code', isHead: true },
      ({ code }) => (
        <Text span ff="monospace" fw={600} translate="no">
          {code}
        </Text>
      ),
      ({ note }) => note || null,
    ),
    { title: t('admin.coupons.takes'), cell: (coupon) => <Taken coupon={coupon} /> },
    {
      title: t('admin.coupons.used'),
      sort: 'used',
      align: 'right',
      cell: ({ used, max_uses }) => (max_uses === null ? used : t('admin.coupons.usedOf', { used, most: max_uses })),
    },
    {
      title: t('admin.coupons.given'),
      align: 'right',
      cell: ({ given_usd, given_rub }) => (
        <>
          <Amount value={given_usd} currency="USD" />
          <Text size="xs" c="dimmed">
            <Amount value={given_rub} currency="RUB" />
          </Text>
        </>
      ),
    },
    {
      title: t('admin.coupons.endsAt'),
      sort: 'ends_at',
      cell: ({ ends_at }) => (ends_at ? <Moment at={ends_at} /> : t('admin.coupons.never')),
    },
    columns.toggle(
      { title: t('admin.coupons.active'), sort: 'is_active', isState: true },
      {
        permission: 'prices.write',
        label: (coupon) => t('admin.coupons.activeOf', { name: coupon.code }),
        isOn: (coupon) => coupon.is_active,
        onTurn: (row, change) => turn.mutate({ row, change }),
      },
    ),
    { ...columns.created(t), isSecondary: true },
  ]
}

function RemoveCoupon({ coupon, onClose }: { coupon: Coupon; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <ActionDialog
      title={t('admin.coupons.removeTitle', { code: coupon.code })}
      takesAlong={[]}
      noun="coupons"
      send={() => removeCoupon(coupon)}
      onClose={onClose}
    >
      <Text>{t('admin.coupons.removeText')}</Text>
    </ActionDialog>
  )
}

const toValues = (coupon: Coupon | undefined): CouponValues => ({
  code: coupon?.code ?? '',
  kind: coupon && coupon.percent === null ? 'amount' : 'percent',
  percent: coupon?.percent ?? '',
  amount_usd: coupon?.amount_usd ?? '',
  amount_rub: coupon?.amount_rub ?? '',
  product_ids: coupon?.product_ids?.map(String) ?? [],
  least_usd: coupon?.least_usd ?? 0,
  least_rub: coupon?.least_rub ?? 0,
  is_first_order: coupon?.is_first_order ?? false,
  max_uses: coupon?.max_uses ?? '',
  max_uses_each: coupon ? (coupon.max_uses_each ?? '') : 1,
  starts_at: toLocal(coupon?.starts_at),
  ends_at: toLocal(coupon?.ends_at),
  is_active: coupon?.is_active ?? true,
  note: coupon?.note ?? '',
})

const missingIn = (values: CouponValues) =>
  missingFields(values, ['code', ...(values.kind === 'percent' ? ['percent'] : ['amount_usd', 'amount_rub'])])

function CouponForm({ coupon, onClose }: { coupon: Coupon | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const products = useAllProducts()
  const saving = useAdminForm<CouponValues, Coupon>({
    noun: 'coupons',
    row: coupon,
    toValues,
    validate: missingIn,
    send: (values, version) => saveCoupon(coupon, values, version),
    onSaved: onClose,
  })
  const { form } = saving
  const kinds = (['percent', 'amount'] as const).map((value) => ({ value, label: t(`admin.coupons.kinds.${value}`) }))
  const productOptions = toIdOptions(products.data)
  const labels = {
    code: t('admin.coupons.code'),
    kind: t('admin.coupons.takes'),
    percent: t('admin.coupons.percent'),
    amount_usd: t('admin.coupons.amountUsd'),
    amount_rub: t('admin.coupons.amountRub'),
    product_ids: t('admin.coupons.products'),
    least_usd: t('admin.coupons.leastUsd'),
    least_rub: t('admin.coupons.leastRub'),
    is_first_order: t('admin.coupons.firstOrder'),
    max_uses: t('admin.coupons.maxUses'),
    max_uses_each: t('admin.coupons.maxUsesEach'),
    starts_at: t('admin.coupons.startsAt'),
    ends_at: t('admin.coupons.endsAt'),
    is_active: t('admin.coupons.active'),
    note: t('admin.coupons.note'),
  }
  const money = { max: LIMITS.amountMax / 100 }
  const uses = { min: 1, max: 1_000_000, hideControls: true, placeholder: t('admin.coupons.anyNumber') }
  return (
    <FormDrawer
      title={coupon ? coupon.code : t('admin.coupons.add')}
      onClose={onClose}
      form={saving}
      labels={labels}
      choices={{ kind: kinds, product_ids: productOptions }}
    >
      <TextInput
        label={labels.code}
        description={t('admin.coupons.codeHint')}
        required
        maxLength={LIMITS.couponCodeMax}
        autoCapitalize="characters"
        data-autofocus
        {...form.getInputProps('code')}
      />
      <Fieldset legend={t('admin.coupons.takes')}>
        <Stack gap="sm">
          <SegmentedControl aria-label={labels.kind} data={kinds} {...form.getInputProps('kind')} />
          {form.values.kind === 'percent' ? (
            <DecimalInput
              label={labels.percent}
              description={t('admin.coupons.floorHint')}
              required
              suffix=" %"
              decimalScale={2}
              max={100}
              {...form.getInputProps('percent')}
            />
          ) : (
            <>
              <SimpleGrid cols={2} style={{ alignItems: 'end' }}>
                <MoneyInput
                  currency="USD"
                  label={labels.amount_usd}
                  required
                  {...money}
                  {...form.getInputProps('amount_usd')}
                />
                <MoneyInput
                  currency="RUB"
                  label={labels.amount_rub}
                  required
                  {...money}
                  {...form.getInputProps('amount_rub')}
                />
              </SimpleGrid>
              <Text size="sm" c="dimmed">
                {t('admin.coupons.floorHint')}
              </Text>
            </>
          )}
        </Stack>
      </Fieldset>
      <Fieldset legend={t('admin.coupons.conditions')}>
        <Stack gap="sm">
          <MultiSelect
            label={labels.product_ids}
            description={t('admin.coupons.productsHint')}
            searchable
            clearable
            data={productOptions}
            {...form.getInputProps('product_ids')}
          />
          <SimpleGrid cols={2} style={{ alignItems: 'end' }}>
            <MoneyInput currency="USD" label={labels.least_usd} {...money} {...form.getInputProps('least_usd')} />
            <MoneyInput currency="RUB" label={labels.least_rub} {...money} {...form.getInputProps('least_rub')} />
          </SimpleGrid>
          <Switch label={labels.is_first_order} {...form.getInputProps('is_first_order', { type: 'checkbox' })} />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('admin.coupons.howOften')}>
        <Stack gap="sm">
          <SimpleGrid cols={2} style={{ alignItems: 'end' }}>
            <NumberInput label={labels.max_uses} allowDecimal={false} {...uses} {...form.getInputProps('max_uses')} />
            <NumberInput
              label={labels.max_uses_each}
              allowDecimal={false}
              {...uses}
              {...form.getInputProps('max_uses_each')}
            />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
            <TextInput type="datetime-local" label={labels.starts_at} {...form.getInputProps('starts_at')} />
            <TextInput type="datetime-local" label={labels.ends_at} {...form.getInputProps('ends_at')} />
          </SimpleGrid>
        </Stack>
      </Fieldset>
      <TextInput label={labels.note} maxLength={500} {...form.getInputProps('note')} />
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}
