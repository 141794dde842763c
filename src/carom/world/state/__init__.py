"""What a world is: its tables, and how these are kept in pickles, documents and digests."""
