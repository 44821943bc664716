"""This app's pages in the admin's sidebar: by group, model, name of its rows, and Material symbol."""

SIDEBAR = {
    "Sales": (
        ("orders.Order", "Orders", "shopping_cart"),
        ("orders.Invoice", "Invoices and reports", "description"),
        ("orders.Payment", "Payments", "payments"),
        ("orders.Refund", "Refunds", "currency_exchange"),
        ("orders.PaymentEvent", "Provider messages", "webhook"),
        ("orders.Placement", "Placements", "ad_units"),
    ),
    "Prices and VAT": (
        ("orders.Product", "Products and prices", "sell"),
        ("orders.ProductVersion", "Price history", "price_change"),
        ("orders.PromoCode", "Promo codes", "local_offer"),
        ("orders.SellerSettings", "Sellers, VAT and OSS", "account_balance"),
        ("orders.VatRate", "VAT rates", "percent"),
        ("orders.ExchangeRate", "Exchange rates", "euro"),
        ("orders.TermsOfSale", "Terms of sale", "contract"),
    ),
}
